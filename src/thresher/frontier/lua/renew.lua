-- Renew: ARGV[3…] are name and token in turn. For each, 1 or 0 comes back: whether it is still held under the token.
local answers, terms = {}, {}

local function stay_busy(host)
  if delay_s(host) <= 0 then return end
  local found = rest_of(host.name)
  found.until_at, found.changed = now + rules.lease_s, true
end

for at = 3, #ARGV, 2 do
  local link = record_of(ARGV[at])
  local held = link and link.state == LEASED and link.token == tonumber(ARGV[at + 1])
  if held then
    terms[#terms + 1] = score(now + rules.lease_s)
    terms[#terms + 1] = ARGV[at]
    stay_busy(lane_of(link))
  end
  answers[#answers + 1] = held and 1 or 0
end
call_in_parts('ZADD', K.expiry, terms)
save_rests()
return answers
