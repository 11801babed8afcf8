-- Offering: links that are new, or that are to wait again, are put into the queues of their hosts.
local LINK = '<c8hHBBc0Hc0'
local ACCEPTED, SEEN, REOPENED, HOST_FULL, TRAP, UNSURE = 'a', 's', 'r', 'h', 't', 'u' -- unsure: send its shape
local queues = {} -- key → entries to append

local function enqueue(link)
  local lane = lane_of(link)
  add_level(lane, link.priority)
  local key = queue_key(lane, level_of(link.priority))
  local queue = queues[key] or {}
  queues[key] = queue
  queue[#queue + 1] = write_entry(link, lane.name)
  lane.waiting = lane.waiting + 1
  touch(lane)
  count('pending', 1)
end

-- Keep the shortest path to a known link; follow a done one again when its outlinks are now less deep.
local function offer_again(link)
  local state, depth = string.match(seen_word(link.name), '^([odx])(%d+)')
  if not state or link.depth >= tonumber(depth) or state == 'x' then return SEEN end
  note_open(link.name, link.depth)
  if state == 'd' then
    link.replay = true
    enqueue(link)
    count('done', -1)
    return REOPENED
  end
  local held = record_of(link.name)
  if held then
    held.depth = link.depth
    held.stale = held.state == LEASED -- its outlinks are being offered with the old depth: settle has to know
    save_record(held)
  else
    redis.call('HSET', K.shallower, link.name, link.depth)
  end
  return SEEN
end

local function is_trap(host, shape)
  local barren = tonumber(redis.call('HGET', K.shapes .. host.name, shape) or 0)
  return barren >= rules.barren_pages
end

local function offer(link, shape)
  local host = host_of(link.host)
  local refusal = host.accepted >= rules.host_pages and HOST_FULL
  if not refusal and is(host, TRAPPED) then
    if shape == '' then refusal = UNSURE elseif shape ~= '-' and is_trap(host, shape) then refusal = TRAP end
  end
  if refusal then
    if not seen_word(link.name) then return refusal end
    return offer_again(link)
  end
  if not seen_add(link.name, link.depth) then return offer_again(link) end
  host.accepted = host.accepted + 1
  touch(host)
  enqueue(link)
  return ACCEPTED
end

-- Read the packed links from ARGV[3] on, do something with each, and write everything down; one letter per link.
local function for_each_link(act)
  local answers = {}
  for at = 3, #ARGV do
    local name, priority, depth, replay, shape, host, from = struct.unpack(LINK, ARGV[at])
    local link = { name = name, priority = priority, depth = depth, replay = replay == 1, host = host, attempts = 0,
      lost = 0, reason = '', packed = ARGV[at], blob_at = from }
    answers[#answers + 1] = act(link, shape)
  end
  for key, entries in pairs(queues) do call_in_parts('RPUSH', key, entries) end
  save_records()
  save_seen()
  save_hosts()
  save_job()
  return table.concat(answers)
end
