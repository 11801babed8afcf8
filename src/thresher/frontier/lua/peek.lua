-- Peek: the time, and up to ARGV[3] hosts with links that wait (or only the host ARGV[4]), those to be served first
-- first: lane, time at which it is due, and up to ARGV[5] entries.
local wanted, only, each = tonumber(ARGV[3]), ARGV[4], tonumber(ARGV[5])
local names = { only }
if only == '' then
  names = redis.call('ZRANGE', K.first, 0, wanted - 1)
  for _, name in ipairs(redis.call('ZRANGE', K.ready, 0, wanted - 1)) do names[#names + 1] = name end
end
local found = { exact(now) }
for _, name in ipairs(names) do
  local host = host_of(name)
  local entries = redis.call('LRANGE', K.placed .. name, 0, each - 1)
  for at = 1, #host.levels, 2 do
    if #entries >= each then break end
    local key = queue_key(host, string.sub(host.levels, at, at + 1))
    for _, entry in ipairs(redis.call('LRANGE', key, 0, each - #entries - 1)) do entries[#entries + 1] = entry end
  end
  if #entries > 0 then found[#found + 1] = { name, exact(host.next_at), entries } end
end
return found
