-- Weed: drop links of the host ARGV[3] that wait, as done for the reason ARGV[4]; ARGV[5…] are pairs of a queue and an
-- entry in it. For each, 1 or 0 comes back: whether it was still there.
local host, answers = host_of(ARGV[3]), {}
for at = 5, #ARGV, 2 do
  local gone = redis.call('LREM', ARGV[at], 1, ARGV[at + 1])
  if gone == 1 then
    local link = read_entry(ARGV[at + 1], host.name, 1)
    redis.call('HDEL', K.shallower, link.name)
    note_done(link.name, link.depth, ARGV[4])
    host.waiting = host.waiting - 1
    count('pending', -1)
    count('done', 1)
  end
  answers[#answers + 1] = gone
end
touch(host, true)
save_seen()
save_hosts()
save_job()
return answers
