-- Retry: let the dead letters named ARGV[3…] wait again as if they had never failed. Their number comes back.
local revived = 0
for at = 3, #ARGV do
  local link = record_of(ARGV[at])
  if link and link.state == DEAD then
    redis.call('ZREM', K.dead, link.name)
    link.attempts, link.lost = 0, 0
    note_open(link.name, link.depth)
    drop_record(link)
    put_back(link)
    if link.placed and not link.replay then count('held', 1) end
    count('dead', -1)
    count('pending', 1)
    revived = revived + 1
  end
end
save_records()
save_seen()
save_hosts()
save_job()
return revived
