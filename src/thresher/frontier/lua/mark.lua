-- Mark: set (ARGV[5] = 1) or clear the flag ARGV[4] of the host ARGV[3]. 0 comes back for a host that is not known.
if redis.call('HEXISTS', K.hosts, ARGV[3]) == 0 then return 0 end
local host, flag = host_of(ARGV[3]), tonumber(ARGV[4])
host.switched = flag == BOOSTED
set_flag(host, flag, ARGV[5] == '1')
touch(host, true)
save_hosts()
return 1
