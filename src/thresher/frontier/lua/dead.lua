-- Dead: the records of up to ARGV[3] dead letters, newest first.
local names = redis.call('ZREVRANGE', K.dead, 0, tonumber(ARGV[3]) - 1)
if #names == 0 then return {} end
return redis.call('HMGET', K.links, unpack(names))
