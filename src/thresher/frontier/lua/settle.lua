-- Settle: ARGV[3…] are packed settlements. For each, 1 or 0 comes back: whether its token was still valid.
local answers = settle_all(3)
save_all()
return answers
