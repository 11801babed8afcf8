-- Entry: a link in a queue. Record: a link that is leased, delayed, dead or a suspect: its state, then its entry.
-- What a worker needs to build the link again (URL, origin, validators) is opaque here: the blob.
local ENTRY, RECORD = '<c8BBBhHBc0Hc0', '<BdHc0'
local PLACED, REPLAY, STALE = 1, 2, 4 -- flags: holds a place; follow again without request; shallower since leased

local function read_entry(packed, from)
  local name, attempts, lost, flags, priority, depth, reason, host, at = struct.unpack(ENTRY, packed, from or 1)
  return {
    name = name, attempts = attempts, lost = lost, priority = priority, depth = depth, reason = reason, host = host,
    placed = flags % 2 == 1, replay = flags % 4 >= 2, stale = flags >= 4, blob = string.sub(packed, at),
  }
end

local function write_entry(link, lane)
  local flags = (link.placed and PLACED or 0) + (link.replay and REPLAY or 0) + (link.stale and STALE or 0)
  local attempts, lost = math.min(link.attempts, 255), math.min(link.lost, 255)
  local host = link.host == lane and '' or link.host -- the lane says it already
  return struct.pack(ENTRY, link.name, attempts, lost, flags, link.priority, link.depth,
    #link.reason, link.reason, #host, host) .. link.blob
end

local function read_record(packed)
  local state, token, worker, at = struct.unpack(RECORD, packed)
  local link = read_entry(packed, at)
  link.state, link.token, link.worker = state, token, worker
  return link
end

local function write_record(link)
  local worker = link.worker or ''
  return struct.pack(RECORD, link.state, link.token or 0, #worker, worker) .. write_entry(link)
end

local function record_of(name)
  local packed = redis.call('HGET', K.links, name)
  return packed and read_record(packed)
end

local function save_record(link)
  redis.call('HSET', K.links, link.name, write_record(link))
end
