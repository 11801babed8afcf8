-- What every step begins with: the rules, the time (the server's own), and counters that are written once at the end.
local rules = cjson.decode(ARGV[1])

local JOB = { 'born', 'paused', 'token', 'pending', 'delayed', 'leased', 'done', 'dead', 'reserved', 'held', 'buckets',
  'seen', 'layers', 'fill' }
local job = {} -- its fields as the step finds them
for at, value in ipairs(redis.call('HMGET', K.job, unpack(JOB))) do job[JOB[at]] = value end
-- Whoever opened the job before the server lost it must not take what is left, or begun anew, for all of it.
if job.born ~= rules.born then return redis.error_reply('LOST the job is another one') end

local now = tonumber(ARGV[2]) -- empty but in tests
if not now then
  local time = redis.call('TIME')
  now = time[1] + time[2] / 1e6
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
