-- Due: how long until a link can be leased (0: now); nothing when the job is over.
local ASK_AGAIN_S = 30 -- while all that is left is paused
local LOOKED_AT = 64
local earliest

local function at(time)
  if time and (not earliest or time < earliest) then earliest = time end
end

local function first_of(set)
  local first = redis.call('ZRANGE', set, 0, 0, 'WITHSCORES')
  return first[2] and tonumber(first[2]) / 1e6
end

-- The first host that can give a link; those that turn out to be full leave the queue until one of their leases ends.
local function ready_host(set)
  for _, name in ipairs(redis.call('ZRANGE', set, 0, LOOKED_AT - 1)) do
    local host = host_of(name)
    if ready_at(host) then return host.next_at end
    touch(host, true)
  end
end

local function suspects(spent)
  for _, name in ipairs(redis.call('ZRANGE', K.suspects, 0, LOOKED_AT - 1)) do
    local link = record_of(name)
    local lane = lane_of(link)
    if not is_full(lane) and not is(lane, PAUSED) and (link.placed or link.replay or not spent) then
      at(lane.next_at)
    end
  end
end

local function placed_hosts()
  if host_of(REPLAYS).waiting > 0 then at(0) end
  for _, name in ipairs(redis.call('SMEMBERS', K.placed_hosts)) do at(ready_at(host_of(name))) end
end

local spent = places_left() == 0
local paused = job.paused
if not paused then
  at(first_of(K.due_placed))
  suspects(spent)
  if spent then
    placed_hosts()
  else
    at(first_of(K.due))
    at(ready_host(K.first))
    at(ready_host(K.ready))
  end
end
at(first_of(K.expiry))
if not earliest then
  local left = spent and job_number('held') or job_number('pending') + job_number('delayed')
  if left > 0 then earliest = now + ASK_AGAIN_S end
end
save_hosts()
return earliest and exact(math.max(0, earliest - now))
