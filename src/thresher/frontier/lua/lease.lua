-- Lease: up to ARGV[4] links of hosts that are due to the worker ARGV[3]; when they end comes back, then their records.
local leases = lease_due()
save_all()
return leases
