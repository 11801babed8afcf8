-- Exchange: settle ARGV[5…], then lease up to ARGV[4] links to the worker ARGV[3]. What settle answers comes back, and
-- what lease does.
local answers = settle_all(5)
local leases = lease_due()
save_all()
return { answers, leases }
