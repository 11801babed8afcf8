-- Beat: note that the worker ARGV[3] is alive and doing ARGV[4]; forget those that have been silent for ARGV[5] s.
redis.call('HSET', K.beats, ARGV[3], struct.pack('<d', now) .. ARGV[4])
local beats = redis.call('HGETALL', K.beats)
for at = 1, #beats, 2 do
  if struct.unpack('<d', beats[at + 1]) < now - tonumber(ARGV[5]) then redis.call('HDEL', K.beats, beats[at]) end
end
return 1
