-- Beat: note that the worker ARGV[3] is alive and doing ARGV[4]; forget those that have been silent for ARGV[5] s.
-- Answers what the worker was told to do, empty when nothing.
local MARKS = 100 -- of clients, before those that have been silent are looked for

redis.call('HSET', K.beats, ARGV[3], struct.pack('<d', now) .. ARGV[4])
local beats = redis.call('HGETALL', K.beats)
for at = 1, #beats, 2 do
  if struct.unpack('<d', beats[at + 1]) < now - tonumber(ARGV[5]) then
    redis.call('HDEL', K.beats, beats[at])
    redis.call('HDEL', K.orders, beats[at])
  end
end
if redis.call('HLEN', K.clock) > MARKS then
  local fields = redis.call('HGETALL', K.clock)
  for at = 1, #fields, 2 do
    local marked_at = tonumber(string.match(fields[at + 1], '^%d+ (%d+)$'))
    if marked_at and marked_at < now - tonumber(ARGV[5]) then redis.call('HDEL', K.clock, fields[at]) end
  end
end
return redis.call('HGET', K.orders, ARGV[3]) or ''
