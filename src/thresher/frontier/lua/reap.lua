-- Reap: take back expired leases, and those of the dead workers ARGV[3…], as lost. Their number comes back.
local taken = reap_expired()
while taken > 0 and redis.call('ZCOUNT', K.expiry, '-inf', score(now)) > 0 do taken = taken + reap_expired() end
local dead = {}
for at = 3, #ARGV do dead[ARGV[at]] = true end
if #ARGV >= 3 then taken = taken + give_back_all(held_by(dead), 1) end
save_all()
return taken
