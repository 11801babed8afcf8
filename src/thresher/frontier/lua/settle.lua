-- Settle: ARGV[3…] are packed settlements. For each, what settle_all answers comes back.
local answers = settle_all(3)
save_all()
return answers
