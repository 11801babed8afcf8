-- Rests: a host is left in peace by all jobs together; jobs that want the same host take turns (steps/rests.py says the
-- same for SQLite). A job whose host need not rest at all (no delay) neither waits for others nor makes them wait.
-- A block, for Lua takes no more than 200 local names in one script.
local rest_of, fetch_rests, rests_until, ask_host, let_host_rest, save_rests
do
  local GRACE_S = 1 -- a job whose turn it is has so long to come for it
  local LOOK_AGAIN_S = 0.25 -- at a host at which other jobs have as many leases as there may be
  -- Next time, last time it was asked, until when the turn of the rival is kept; the job that asked last, the rival. Then
  -- for each job with leases: job, how many, when they have expired. Longer than 64 bytes, as a host is (lua/hosts.lua).
  local REST, LEASES = '<dddI4I4' .. string.rep('x', 21), '<I4Hd'
  local ME = tonumber(string.sub(rules.born, 1, 8), 16)
  local rests = {}

  local function read_rest(name, packed)
    local next_at, asked_at, rival_until, last, rival, at = 0, 0, 0, 0, 0, nil
    if packed then next_at, asked_at, rival_until, last, rival, at = struct.unpack(REST, packed) end
    local found = { next_at = next_at, asked_at = asked_at, rival_until = rival_until, last = last, rival = rival,
      leased = 0, until_at = 0, busy = 0, others = '', changed = false }
    while at and at <= #packed do
      local job_number, leased, until_at, after = struct.unpack(LEASES, packed, at)
      if job_number == ME then
        found.leased, found.until_at = leased, until_at
      elseif until_at > now then
        found.busy, found.others = found.busy + leased, found.others .. string.sub(packed, at, after - 1)
      end
      at = after
    end
    rests[name] = found
    return found
  end

  function rest_of(name)
    return rests[name] or read_rest(name, redis.call('HGET', K.rests, name))
  end

  -- Read those of many hosts at once.
  function fetch_rests(names)
    if rules.delay_s == 0 then return end
    local unread = {}
    for _, name in ipairs(names) do
      if not rests[name] and name ~= REPLAYS then unread[#unread + 1] = name end
    end
    for from = 1, #unread, 1000 do
      local part = { unpack(unread, from, math.min(from + 999, #unread)) }
      for at, packed in ipairs(redis.call('HMGET', K.rests, unpack(part))) do read_rest(part[at], packed) end
    end
  end

  -- When the job is to look at the host again; nothing when it may ask it now.
  function rests_until(host)
    local gap_s = delay_s(host)
    if gap_s <= 0 then return nil end
    local found, due = rest_of(host.name), rolled_at > 0 and rolled_at + gap_s or 0
    due = math.max(due, found.next_at)
    if found.last ~= ME then due = math.max(due, found.asked_at + gap_s) end
    if found.busy + host.leased >= rules.host_concurrency then due = math.max(due, now + LOOK_AGAIN_S) end
    local waits = found.rival ~= 0 and found.rival_until > now
    if waits and found.rival ~= ME then due = math.max(due, math.min(found.rival_until, now + gap_s)) end
    if due <= now then return nil end
    if found.last ~= ME and found.last ~= 0 and not waits then
      found.rival, found.rival_until, found.changed = ME, due + GRACE_S, true
    end
    return due
  end

  -- Note that the job asks the host now.
  function ask_host(host)
    local gap_s = delay_s(host)
    rest(host, now + gap_s)
    if gap_s <= 0 then return end
    local found = rest_of(host.name)
    found.next_at, found.asked_at = math.max(found.next_at, now + gap_s), now
    found.last, found.until_at, found.changed = ME, now + rules.lease_s, true
    if found.rival == ME then found.rival = 0 end
  end

  -- Let the host rest from now, for all jobs.
  function let_host_rest(host, rest_s)
    rest(host, now + rest_s)
    if rest_s <= 0 or host.name == REPLAYS then return end
    local found = rest_of(host.name)
    found.next_at, found.asked_at = math.max(found.next_at, now + rest_s), math.max(found.asked_at, now)
    found.changed = true
  end

  function save_rests()
    local rows = {}
    for name, found in pairs(rests) do
      if found.changed then
        local leased = hosts[name] and hosts[name].leased or found.leased
        local own = leased > 0 and struct.pack(LEASES, ME, math.min(leased, 65535), found.until_at) or ''
        rows[#rows + 1] = name
        rows[#rows + 1] = struct.pack(REST, found.next_at, found.asked_at, found.rival_until, found.last, found.rival)
          .. own .. found.others
        found.changed = false
      end
    end
    call_in_parts('HSET', K.rests, rows)
  end
end
