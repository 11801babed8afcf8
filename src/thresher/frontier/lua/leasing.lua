-- Leasing: up to ARGV[4] links of hosts that are due to the worker ARGV[3], hosts in turn; a suspect comes alone.
local worker, wanted = ARGV[3], tonumber(ARGV[4])
local PAGES = 16 -- of hosts looked at in one call, most of which turn out to be full or at a resting address
local SUSPECTS = 64 -- looked at in one call

local function promote_from(set)
  local names = redis.call('ZRANGEBYSCORE', set, '-inf', score(now), 'LIMIT', 0, AT_ONCE)
  for at = #names, 1, -1 do
    local link = record_of(names[at])
    redis.call('ZREM', set, link.name)
    count('delayed', -1)
    if link.placed and not link.replay then count('held', 1) end
    wait_again(link)
  end
end

-- Whether host and address may be asked now, which the address then knows; a host that may not comes again later.
local function may_ask(host)
  local later = rests_until(host)
  if later then
    rest(host, later)
    touch(host, true)
    return false
  end
  return address_is_due(host)
end

local function consider(host, lanes)
  if host.waiting > 0 and host.next_at <= now and not is_full(host) and not is(host, PAUSED) and may_ask(host) then
    lanes[#lanes + 1] = host
  else
    touch(host, true)
  end
end

local function due_lanes(set, lanes)
  local before = #lanes
  for _ = 1, PAGES do
    local room, offset = wanted - #lanes, #lanes - before
    if room < 1 then return end
    local names = redis.call('ZRANGEBYSCORE', set, '-inf', score(now), 'LIMIT', offset, room)
    fetch_hosts(names)
    fetch_rests(names)
    for _, name in ipairs(names) do consider(host_of(name), lanes) end
    if #names < room or #lanes == wanted then return end
    save_hosts() -- those passed over leave the front of the queue
  end
end

-- Once the limit is used up: replays, and hosts with links that hold a place already.
local function placed_lanes(lanes)
  local candidates = { host_of(REPLAYS) }
  for _, name in ipairs(redis.call('SMEMBERS', K.placed_hosts)) do candidates[#candidates + 1] = host_of(name) end
  table.sort(candidates, function(one, other) return one.next_at < other.next_at end)
  for _, host in ipairs(candidates) do
    if #lanes < wanted and (host.waiting > 0) then consider(host, lanes) end
  end
end

local function capacity_of(lane, spent)
  local waiting = (spent and lane.name ~= REPLAYS) and lane.placed or lane.waiting
  if waiting <= 1 or lane.name == REPLAYS then return waiting end
  -- After one link the host rests, unless it need not rest at all.
  return delay_s(lane) > 0 and math.min(1, waiting) or math.min(waiting, rules.host_concurrency - lane.leased)
end

-- Share what is wanted among lanes, one each in turn until all is dealt or the lanes can give no more.
local function deal(lanes, spent)
  local left, again, shares, capacities = wanted, true, {}, {}
  for at, lane in ipairs(lanes) do shares[at], capacities[at] = 0, capacity_of(lane, spent) end
  while left > 0 and again do
    again = false
    for at, share in ipairs(shares) do
      if left > 0 and share < capacities[at] then shares[at], left, again = share + 1, left - 1, true end
    end
  end
  return shares
end

local LEASE = RECORD .. 'c0' -- and the entry as it was queued
local granted, rows, expiries, reply = 0, {}, {}, {}
local expires_at = score(now + rules.lease_s)
-- Microseconds: tokens grow even when a crash of the server has cost it the last ones that it gave.
local last_token = math.max(job_number('token'), math.floor(now * 1e6))
local any_shallower = redis.call('HLEN', K.shallower) > 0

local function with_depth(entry, name, lane)
  local depth = redis.call('HGET', K.shallower, name)
  if not depth then return entry end
  redis.call('HDEL', K.shallower, name)
  local link = read_entry(entry, lane, 1)
  link.depth = tonumber(depth)
  return write_entry(link, lane)
end

-- Give out one entry of a lane, as it is; answer whether it takes a place of the limit.
local function grant(entry, lane)
  local name = string.sub(entry, 1, 8)
  if any_shallower then entry = with_depth(entry, name, lane.name) end
  granted = granted + 1
  local record = struct.pack(LEASE, LEASED, last_token + granted, #worker, worker, #lane.name, lane.name, entry)
  reply[granted] = record
  rows[granted * 2 - 1] = name
  rows[granted * 2] = record
  expiries[granted * 2 - 1] = expires_at
  expiries[granted * 2] = name
  dropped[name] = nil
  lane.leased = lane.leased + 1
  return string.byte(entry, FLAGS_AT) % 4 == 0
end

local function charge(lane)
  ask_host(lane)
  if lane.address ~= '' then rest_address(lane.address) end
  touch(lane)
end

local function grant_lanes(lanes, shares, places)
  local took = 0
  for at, lane in ipairs(lanes) do
    local entries = shares[at] > 0 and take(lane, shares[at], places and places - took) or {}
    for _, entry in ipairs(entries) do
      if grant(entry, lane) then took = took + 1 end
    end
    if #entries > 0 then charge(lane) end
  end
  count('reserved', took)
  count('held', took)
end

-- One suspect, if any is due and the worker holds nothing that would be lost with it.
local function grant_suspect(places)
  if redis.call('HEXISTS', K.workers, worker) == 1 then return end
  local best, best_lane
  for _, name in ipairs(redis.call('ZRANGE', K.suspects, 0, SUSPECTS - 1)) do
    local link = record_of(name)
    local lane = lane_of(link)
    local usable = lane.next_at <= now and not is_full(lane) and not is(lane, PAUSED)
      and (link.placed or link.replay or places ~= 0)
    if usable and (not best or lane.next_at < best_lane.next_at) then best, best_lane = link, lane end
  end
  if not best or not may_ask(best_lane) then return end
  redis.call('ZREM', K.suspects, best.name)
  redis.call('HSET', K.alone, worker, best.name)
  if grant(write_entry(best, best_lane.name), best_lane) then
    count('reserved', 1)
    count('held', 1)
  end
  charge(best_lane)
end

local function save_leases()
  if granted == 0 then return end
  note('token', last_token + granted)
  call_in_parts('HSET', K.links, rows)
  call_in_parts('ZADD', K.expiry, expiries)
  redis.call('HINCRBY', K.workers, worker, granted)
  count('leased', granted)
  count('pending', -granted)
end

-- Lease what is due; when the leases end comes back, their records, and 1 after a loss.
local function lease_due()
  reap_expired()
  promote_from(K.due)
  promote_from(K.due_placed)
  if wanted >= 1 and not job.paused and redis.call('HEXISTS', K.alone, worker) == 0 then
    local places, lanes = places_left(), {}
    save_hosts()
    if places == 0 then
      placed_lanes(lanes)
    else
      due_lanes(K.first, lanes)
      due_lanes(K.ready, lanes)
    end
    grant_lanes(lanes, deal(lanes, places == 0), places)
    if granted == 0 then grant_suspect(places) end
  end
  save_leases()
  return { exact(now + rules.lease_s), reply, job_number('losses') > job_number('made_good') and 1 or 0 }
end
