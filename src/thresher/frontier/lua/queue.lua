-- The queues of a host: a list for each priority, and one for links that came back with a place of the limit.
local function level_of(priority)
  return struct.pack('>H', priority + 32768)
end

-- Note that links of this priority wait; levels are kept best first, two bytes each.
local function add_level(host, priority)
  local level, at = level_of(priority), 1
  while at < #host.levels do
    local other = string.sub(host.levels, at, at + 1)
    if other == level then return end
    if other < level then break end
    at = at + 2
  end
  host.levels = string.sub(host.levels, 1, at - 1) .. level .. string.sub(host.levels, at)
end

local level_names = {}

local function queue_key(host, level)
  local name = level_names[level]
  if not name then
    name = ':' .. (struct.unpack('>H', level) - 32768)
    level_names[level] = name
  end
  return K.queue .. host.name .. name
end

local function lane_of(link)
  return host_of(link.replay and REPLAYS or link.host)
end

-- Put a link back in front of its queue: it was there before the others.
local function put_back(link)
  local lane = lane_of(link)
  link.stale = false
  if link.placed and not link.replay then
    redis.call('LPUSH', K.placed .. lane.name, write_entry(link, lane.name))
    lane.placed = lane.placed + 1
  else
    add_level(lane, link.priority)
    redis.call('LPUSH', queue_key(lane, level_of(link.priority)), write_entry(link, lane.name))
  end
  lane.waiting = lane.waiting + 1
  touch(lane)
end

local function pop(key, number)
  if number == 1 then return { redis.call('LPOP', key) or nil } end
  return redis.call('LPOP', key, number) or {}
end

-- Take up to `number` links of a host, those with a place first; of the others no more than there are `places`.
local function take(lane, number, places)
  local taken, fresh = {}, number
  if lane.placed > 0 then
    taken = pop(K.placed .. lane.name, number)
    lane.placed = lane.placed - #taken
  end
  if places and lane.name ~= REPLAYS then fresh = places end
  while #taken < number and fresh > 0 and #lane.levels > 0 do
    local wanted = math.min(number - #taken, fresh)
    local entries = pop(queue_key(lane, string.sub(lane.levels, 1, 2)), wanted)
    for _, entry in ipairs(entries) do taken[#taken + 1] = entry end
    fresh = fresh - #entries
    if #entries < wanted then lane.levels = string.sub(lane.levels, 3) end
  end
  lane.waiting = lane.waiting - #taken
  return taken
end
