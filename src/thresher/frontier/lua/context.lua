-- What every step begins with: the rules, the time (the server's own), and counters that are written once at the end.
local rules = cjson.decode(ARGV[1])

local JOB = { 'born', 'paused', 'token', 'pending', 'delayed', 'leased', 'done', 'dead', 'reserved', 'held', 'buckets',
  'seen', 'layers', 'fill', 'losses', 'made_good' }
local job = {} -- its fields as the step finds them
for at, value in ipairs(redis.call('HMGET', K.job, unpack(JOB))) do job[JOB[at]] = value end
-- Whoever opened the job before the server lost it must not take what is left, or begun anew, for all of it.
if job.born ~= rules.born then return redis.error_reply('LOST the job is another one') end

local now, rolled_at, save_clock
do -- a block, for Lua takes no more than 200 local names in one script
  -- Who calls, the last of its numbered calls that was answered, the number of this one, and the time (only in tests).
  local client, answered, number, told_time = string.match(ARGV[2], '^(%w*) (%d+) (%d+) (.*)$')
  local clock = redis.call('HMGET', K.clock, 'last', 'ahead', 'rolled_at', client)
  -- A call that was answered left its number here. Where it is gone, the server has lost what came after an older one.
  local marked = tonumber(string.match(clock[4] or '0', '^%d+'))
  if marked < tonumber(answered) then
    return redis.error_reply('ROLLEDBACK the last calls are lost')
  end

  -- The time never goes back: where the server's clock was set back, the frontier's goes on ahead of it.
  local ahead = tonumber(clock[2] or 0)
  rolled_at = tonumber(clock[3] or 0)
  local server_time = tonumber(told_time)
  if not server_time then
    local time = redis.call('TIME')
    server_time = time[1] + time[2] / 1e6
  end
  now = math.max(server_time + ahead, tonumber(clock[1] or 0))
  if now > server_time + ahead then
    redis.call('HSET', K.clock, 'ahead', string.format('%.17g', now - server_time))
  end

  -- Note the time, and that the caller's step was taken.
  function save_clock()
    local fields = { 'last', string.format('%.17g', now) }
    if client ~= '' then
      fields[#fields + 1] = client
      fields[#fields + 1] = string.format('%d %d', math.max(marked, number), now)
    end
    redis.call('HSET', K.clock, unpack(fields))
  end
end

local REPLAYS = '' -- the lane of links that are followed again without a request
local LEASED, DELAYED, DEAD, SUSPECT = 1, 2, 3, 4 -- states of a record
local AT_ONCE = 1000 -- links moved by one call at most; the next call goes on

local written, scores = {}, {} -- number → text; time → score

local function exact(number)
  local text = written[number]
  if not text then
    text = string.format('%.17g', number)
    written[number] = text
  end
  return text
end

-- A time as score of a sorted set: whole microseconds, which Redis reads and compares faster than a fraction.
local function score(time)
  local text = scores[time]
  if not text then
    text = string.format('%.0f', time * 1e6)
    scores[time] = text
  end
  return text
end

local counts, news = {}, {} -- by how much fields of the job have changed; fields that are to be written

local function job_number(name)
  return tonumber(job[name] or 0)
end

local function count(name, by)
  counts[name] = (counts[name] or 0) + by
end

local function note(name, value)
  if job_number(name) ~= value then
    news[#news + 1] = name
    news[#news + 1] = exact(value)
  end
end

local function save_job()
  for name, by in pairs(counts) do note(name, job_number(name) + by) end
  if #news > 0 then redis.call('HSET', K.job, unpack(news)) end
  save_clock()
end

-- How many more links may take a place of the page limit; nil when there is no limit.
local function places_left()
  if not rules.limit then return nil end
  return math.max(0, rules.limit - job_number('reserved') - (counts.reserved or 0))
end

local function backoff_s(failures)
  local doublings = math.min(math.max(failures, 1) - 1, 60)
  return math.min(rules.backoff_s * 2 ^ doublings, rules.backoff_cap_s)
end

-- Call a command with a list of arguments of any length.
local function call_in_parts(command, key, arguments)
  for from = 1, #arguments, 1000 do
    redis.call(command, key, unpack(arguments, from, math.min(from + 999, #arguments)))
  end
end
