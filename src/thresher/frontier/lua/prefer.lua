-- Prefer: give the link named ARGV[3] the priority ARGV[4]; where it waits in a queue, that is ARGV[5] of the lane
-- ARGV[6], as the entry ARGV[7]. 0 comes back when it is no longer there.
local priority, link = tonumber(ARGV[4]), record_of(ARGV[3])
if link then
  if link.state ~= DELAYED and link.state ~= SUSPECT then return 0 end
  link.priority = priority
  save_record(link)
  return 1
end
if not ARGV[5] or redis.call('LREM', ARGV[5], 1, ARGV[7]) == 0 then return 0 end
local lane = host_of(ARGV[6])
link = read_entry(ARGV[7], lane.name, 1)
link.priority = priority
local key = ARGV[5]
if string.sub(key, 1, #K.placed) ~= K.placed then
  add_level(lane, priority)
  key = queue_key(lane, level_of(priority))
end
redis.call('RPUSH', key, write_entry(link, lane.name))
touch(lane)
save_hosts()
return 1
