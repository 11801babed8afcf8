-- Beat: note that the worker ARGV[3] is alive and doing ARGV[4]; forget those that have been silent for ARGV[5] s.
-- Answers what the worker was told to do, empty when nothing.
-- Some others are looked at each time, taken by chance: with all of them, a fleet would cost the square of its size.
local LOOKED_AT = 8

redis.call('HSET', K.beats, ARGV[3], struct.pack('<d', now) .. ARGV[4])
local oldest = now - tonumber(ARGV[5])
local beats = redis.call('HRANDFIELD', K.beats, LOOKED_AT, 'WITHVALUES')
for at = 1, #beats, 2 do
  if struct.unpack('<d', beats[at + 1]) < oldest then
    redis.call('HDEL', K.beats, beats[at])
    redis.call('HDEL', K.orders, beats[at])
  end
end
local marks = redis.call('HRANDFIELD', K.clock, LOOKED_AT, 'WITHVALUES') -- of clients
for at = 1, #marks, 2 do
  local marked_at = tonumber(string.match(marks[at + 1], '^%d+ (%d+)$'))
  if marked_at and marked_at < oldest then redis.call('HDEL', K.clock, marks[at]) end
end
return redis.call('HGET', K.orders, ARGV[3]) or ''
