-- Entry: a link in a queue. Record: a link that is leased, delayed, dead or a suspect: its state, lane, then its entry.
-- What a worker needs to build the link again (URL, origin, validators) is opaque here: the blob. An entry names the
-- host only where the lane does not (replays).
local ENTRY, RECORD = '<c8BBBhHBc0Hc0', '<BdHc0Hc0'
local FLAGS_AT = 11 -- in an entry
local PLACED, REPLAY, STALE = 1, 2, 4 -- flags: holds a place; follow again without request; shallower since leased

local function read_entry(packed, lane, from)
  local name, attempts, lost, flags, priority, depth, reason, host, at = struct.unpack(ENTRY, packed, from)
  return {
    name = name, attempts = attempts, lost = lost, priority = priority, depth = depth, reason = reason,
    placed = flags % 2 == 1, replay = flags % 4 >= 2, stale = flags >= 4, host = host ~= '' and host or lane,
    packed = packed, blob_at = at,
  }
end

local function write_entry(link, lane)
  local flags = (link.placed and PLACED or 0) + (link.replay and REPLAY or 0) + (link.stale and STALE or 0)
  local host = link.host == lane and '' or link.host
  return struct.pack(ENTRY, link.name, math.min(link.attempts, 255), math.min(link.lost, 255), flags, link.priority,
    link.depth, #link.reason, link.reason, #host, host) .. string.sub(link.packed, link.blob_at)
end

local function read_record(packed)
  local state, token, worker, lane, at = struct.unpack(RECORD, packed)
  local link = read_entry(packed, lane, at)
  link.state, link.token, link.worker = state, token, worker
  if state == LEASED and not link.replay then link.placed = true end -- so lease need not write it into the entry
  return link
end

local function write_record(link)
  local worker, lane = link.worker or '', link.replay and REPLAYS or link.host
  return struct.pack(RECORD, link.state, link.token or 0, #worker, worker, #lane, lane) .. write_entry(link, lane)
end

local fetched, dropped = {}, {} -- records read ahead; names whose record is no longer needed

-- Read the records of many links at once.
local function fetch_records(names)
  for from = 1, #names, 1000 do
    local part = { unpack(names, from, math.min(from + 999, #names)) }
    for at, packed in ipairs(redis.call('HMGET', K.links, unpack(part))) do fetched[part[at]] = packed end
  end
end

local function record_of(name)
  local packed = fetched[name]
  if packed == nil then packed = redis.call('HGET', K.links, name) end
  return packed and read_record(packed)
end

local function save_record(link)
  fetched[link.name], dropped[link.name] = nil, nil
  redis.call('HSET', K.links, link.name, write_record(link))
end

local function drop_record(link)
  fetched[link.name], dropped[link.name] = false, true
end

local function save_records()
  local names = {}
  for name in pairs(dropped) do names[#names + 1] = name end
  call_in_parts('HDEL', K.links, names)
end
