-- Release: give back all leases of the worker ARGV[3], which stops in good order. Their number comes back.
local given_back = give_back_all(held_by({ [ARGV[3]] = true }), 0)
save_all()
return given_back
