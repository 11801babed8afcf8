-- Admit: ARGV[3…] are pairs of a site and one of its hosts. For each, 1 or 0 comes back: whether the host may have links.
-- A host is counted when it is first admitted; one that is known stays, whatever the rule says now.
local answers = {}
for at = 3, #ARGV, 2 do
  local site, name = ARGV[at], ARGV[at + 1]
  local known = hosts[name] or redis.call('HEXISTS', K.hosts, name) == 1
  local room = known or tonumber(redis.call('HGET', K.sites, site) or 0) < rules.site_hosts
  if room and not known then
    redis.call('HINCRBY', K.sites, site, 1)
    touch(host_of(name))
  end
  answers[#answers + 1] = room and 1 or 0
end
save_hosts()
return answers
