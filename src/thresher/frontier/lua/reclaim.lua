-- Leases that end without a settle: given back by their worker, or taken back as lost.
local LOST = 'lost-leases'

local ended, returned = {}, {} -- names whose lease is over; worker → how many of its leases are
local suspects_out = redis.call('HLEN', K.alone) > 0

local function end_lease(name, worker, lane)
  ended[#ended + 1] = name
  returned[worker] = (returned[worker] or 0) + 1
  if suspects_out and redis.call('HGET', K.alone, worker) == name then redis.call('HDEL', K.alone, worker) end
  lane.leased = math.max(0, lane.leased - 1)
  lane.changed = true
end

local function let_go(link)
  end_lease(link.name, link.worker, lane_of(link))
  link.worker, link.token = '', 0
end

local function bury(link, reason)
  link.state, link.reason, link.stale = DEAD, reason, false
  save_record(link)
  redis.call('ZADD', K.dead, score(now), link.name)
  note_dead(link.name, link.depth)
  count('dead', 1)
end

local function give_up_place(link)
  if not link.placed or link.replay then return end
  count('reserved', -1)
  link.placed = false
end

local function wait_as_suspect(link)
  link.state, link.stale = SUSPECT, false
  save_record(link)
  redis.call('ZADD', K.suspects, score(now), link.name)
end

-- Let a link wait for its turn again, with suspects where it was lost too often.
local function wait_again(link)
  count('pending', 1)
  if link.lost >= rules.suspect_after then
    wait_as_suspect(link)
  else
    drop_record(link)
    put_back(link)
  end
end

local function give_back(link, lost)
  let_go(link)
  if link.lost >= rules.suspect_after then lost = 1 end -- it was alone: nothing else can have stopped its worker
  link.lost = link.lost + lost
  local buried = lost > 0 and link.lost > rules.max_lost
  if buried then
    if not link.replay then count('held', -1) end
    give_up_place(link)
    bury(link, LOST)
  else
    wait_again(link)
  end
  local lane = lane_of(link)
  let_host_rest(lane, delay_s(lane)) -- the request may have been under way until now
  rest_address(lane.address)
end

-- Give back the leases of that list, the one leased last first: each is put in front of its queue.
local function give_back_all(links, lost)
  table.sort(links, function(one, other) return one.token > other.token end)
  for _, link in ipairs(links) do give_back(link, lost) end
  return #links
end

local function save_endings()
  count('leased', -#ended)
  call_in_parts('ZREM', K.expiry, ended)
  for name, leases in pairs(returned) do
    if redis.call('HINCRBY', K.workers, name, -leases) <= 0 then redis.call('HDEL', K.workers, name) end
  end
  ended, returned = {}, {}
end

local function reap_expired()
  local expired = {}
  for _, name in ipairs(redis.call('ZRANGEBYSCORE', K.expiry, '-inf', score(now), 'LIMIT', 0, AT_ONCE)) do
    expired[#expired + 1] = record_of(name)
  end
  local number = give_back_all(expired, 1)
  save_endings()
  return number
end

local function held_by(workers)
  local held = {}
  for _, name in ipairs(redis.call('ZRANGE', K.expiry, 0, -1)) do
    local link = record_of(name)
    if workers[link.worker] then held[#held + 1] = link end
  end
  return held
end

-- Write what steps keep until their end.
local function save_all()
  save_endings()
  save_records()
  save_seen()
  save_hosts()
  save_rests()
  save_job()
end
