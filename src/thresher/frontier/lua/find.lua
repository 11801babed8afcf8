-- Find: what is known of the link named ARGV[3] of the host ARGV[4]: its word in the seen-set, its record, the times
-- at which it and its host are due, the time, and lane and key of each queue that it may wait in; nothing when it was
-- never accepted.
local name = ARGV[3]
local word = seen_word(name)
if not word then return nil end
local due = redis.call('ZSCORE', K.due, name) or redis.call('ZSCORE', K.due_placed, name)
local host, queues = host_of(ARGV[4]), {}
for _, lane in ipairs({ host, host_of(REPLAYS) }) do
  queues[#queues + 1] = { lane.name, K.placed .. lane.name }
  for at = 1, #lane.levels, 2 do
    queues[#queues + 1] = { lane.name, queue_key(lane, string.sub(lane.levels, at, at + 1)) }
  end
end
return { word, redis.call('HGET', K.links, name) or '', due and exact(due / 1e6) or '', exact(host.next_at), exact(now), queues }
