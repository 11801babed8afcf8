-- Hosts and addresses as a step sees them: read once, written once at its end, and put where lease looks for them.
local HOST, ADDRESS = '<dddHI4I4I4HBBc0Hc0', '<ddI4'
-- What makes a host longer than 64 bytes: shorter values Redis keeps in a list, which it reads from the start each time.
local PADDED = HOST .. string.rep('x', 21)
-- Flags. Trapped: some URL shape was a trap, so offer has to look. Booked: has its turn at a resting address. Parked:
-- has links, but is paused or full, so that lease does not find it.
local PAUSED, BOOSTED, TRAPPED, BOOKED, PARKED = 1, 2, 4, 8, 16
local ADDRESS_GAP_S = math.min(rules.address_delay_s, rules.delay_s)
local hosts, addresses = {}, {}

local function delay_s(host)
  if host.name == REPLAYS or rules.delay_s == 0 and host.asked_s == 0 then return 0 end
  local delay = math.max(rules.delay_s, math.min(host.asked_s, rules.crawl_delay_cap_s))
  if rules.delay_s == 0 then return delay end
  return math.max(delay, math.min(host.pace_s * rules.response_factor, rules.response_delay_cap_s))
end

local function is(host, flag)
  return math.floor(host.flags / flag) % 2 == 1
end

local function set_flag(host, flag, on)
  if is(host, flag) ~= on then host.flags = host.flags + (on and flag or -flag) end
end

local function is_full(host)
  return host.name ~= REPLAYS and host.leased >= rules.host_concurrency
end

-- When lease may find the host; false when it need not look.
local function ready_at(host)
  return host.waiting > 0 and host.flags % 2 < PAUSED and not is_full(host) and host.next_at
end

-- Sixteen fields: with one more a table of Lua takes twice the memory, and half as much time again.
local function read_host(name, packed)
  local next_at, asked, pace, strain, accepted, waiting, placed, leased, flags, address, levels =
    name == REPLAYS and 0 or now, 0, 0, 0, 0, 0, 0, 0, 0, '', ''
  if packed then
    next_at, asked, pace, strain, accepted, waiting, placed, leased, flags, address, levels = struct.unpack(HOST, packed)
  end
  local host = { name = name, next_at = next_at, asked_s = asked, pace_s = pace, strain = strain, accepted = accepted,
    waiting = waiting, placed = placed, leased = leased, flags = flags, address = address, levels = levels,
    was_ready_at = waiting > 0 and flags < PARKED and next_at, was_placed = placed, changed = false, moved = false }
  hosts[name] = host
  return host
end

local function host_of(name)
  return hosts[name] or read_host(name, redis.call('HGET', K.hosts, name))
end

-- Read many hosts at once.
local function fetch_hosts(names)
  local unread = {}
  for _, name in ipairs(names) do
    if not hosts[name] then unread[#unread + 1] = name end
  end
  for from = 1, #unread, 1000 do
    local part = { unpack(unread, from, math.min(from + 999, #unread)) }
    for at, packed in ipairs(redis.call('HMGET', K.hosts, unpack(part))) do read_host(part[at], packed) end
  end
end

-- Change what is kept of a host; `moved` when its place in the queue of hosts has to be looked at in any case.
local function touch(host, moved)
  host.changed = true
  host.moved = host.moved or moved
end

local function rest(host, until_at)
  if host.name ~= REPLAYS then host.next_at = math.max(host.next_at, until_at) end
end

local function address_of(name)
  local address = addresses[name]
  if not address then
    local packed, shared = redis.call('HGET', K.addresses, name), redis.call('HGET', K.resting, name)
    local next_at, booked, turns = 0, 0, 0
    if packed then next_at, booked, turns = struct.unpack(ADDRESS, packed) end
    if shared then next_at = math.max(next_at, (struct.unpack('<d', shared))) end
    address = { next_at = next_at, booked = booked, turns = turns }
    addresses[name] = address
  end
  return address
end

-- Let the address rest from now; hosts that are there wait for it.
local function rest_address(name)
  if name == '' or ADDRESS_GAP_S <= 0 then return end
  local address = address_of(name)
  address.next_at = math.max(address.next_at, now + ADDRESS_GAP_S)
  address.changed = true
end

local function give_up_turn(host)
  if not is(host, BOOKED) then return end
  set_flag(host, BOOKED, false)
  local address = address_of(host.address)
  address.turns, address.changed = math.max(0, address.turns - 1), true
end

-- Whether the host's address may be asked now; if it rests, or others have their turn, the host books the time after
-- theirs. One that comes in time and finds the address resting still keeps its turn.
local function address_is_due(host)
  if host.address == '' or ADDRESS_GAP_S <= 0 then return true end
  local address = address_of(host.address)
  address.changed = true
  touch(host, true)
  if address.next_at <= now and (is(host, BOOKED) or address.booked <= now) then
    give_up_turn(host)
    rest_address(host.address)
    address.booked = math.max(address.booked, address.next_at + address.turns * ADDRESS_GAP_S)
    return true
  end
  if is(host, BOOKED) then
    rest(host, address.next_at)
    return false
  end
  set_flag(host, BOOKED, true)
  rest(host, math.max(address.next_at, address.booked))
  address.booked, address.turns = math.max(address.next_at, address.booked) + ADDRESS_GAP_S, address.turns + 1
  return false
end

local function save_addresses()
  local own, shared = {}, {}
  for name, address in pairs(addresses) do
    if address.changed then
      own[#own + 1] = name
      own[#own + 1] = struct.pack(ADDRESS, address.next_at, address.booked, address.turns)
      shared[#shared + 1] = name
      shared[#shared + 1] = struct.pack('<d', address.next_at)
      address.changed = false
    end
  end
  call_in_parts('HSET', K.addresses, own)
  call_in_parts('HSET', K.resting, shared)
end

local function place(host, at, sets)
  local boosted = is(host, BOOSTED)
  if host.moved or at ~= host.was_ready_at then
    local set = boosted and sets.first or sets.ready
    if at then
      set[#set + 1] = score(at)
      set[#set + 1] = host.name
    else
      redis.call('ZREM', boosted and K.first or K.ready, host.name)
    end
  end
  if host.switched then redis.call('ZREM', boosted and K.ready or K.first, host.name) end
  if (host.placed > 0) ~= (host.was_placed > 0) then
    redis.call(host.placed > 0 and 'SADD' or 'SREM', K.placed_hosts, host.name)
  end
end

local function save_hosts()
  local rows, filled, sets = {}, 0, { first = {}, ready = {} }
  for name, host in pairs(hosts) do
    if host.changed then
      local at = ready_at(host)
      local parked = not at and host.waiting > 0
      if parked ~= (host.flags >= PARKED) then host.flags = host.flags + (parked and PARKED or -PARKED) end
      filled = filled + 2
      rows[filled - 1] = name
      rows[filled] = struct.pack(PADDED, host.next_at, host.asked_s, host.pace_s, math.min(host.strain, 65535),
        host.accepted, host.waiting, host.placed, host.leased, host.flags, #host.address, host.address,
        #host.levels, host.levels)
      place(host, at, sets)
      host.changed, host.moved, host.switched = false, false, false
      host.was_ready_at, host.was_placed = at, host.placed
    end
  end
  call_in_parts('HSET', K.hosts, rows)
  call_in_parts('ZADD', K.first, sets.first)
  call_in_parts('ZADD', K.ready, sets.ready)
  save_addresses()
end
