-- Count a job's links by where they lie: from what is kept, not from the counters. ARGV[1]: how its keys begin.
local function each(stem)
  return redis.call('KEYS', ARGV[1] .. stem .. ':*')
end

local function summed(command, stem)
  local sum = 0
  for _, key in ipairs(each(stem)) do sum = sum + redis.call(command, key) end
  return sum
end

local function size(name)
  return redis.call('ZCARD', ARGV[1] .. name)
end

local words = {}
local function is_done(number)
  if not words[number] then words[number] = redis.call('HGET', ARGV[1] .. 'codes', number) end
  return string.sub(words[number], 1, 1) == 'd'
end

local done = 0
for _, key in ipairs(each('seen')) do
  for _, number in ipairs(redis.call('HVALS', key)) do
    if is_done(number) then done = done + 1 end
  end
end
local pending = summed('LLEN', 'queue') + summed('LLEN', 'placed') + size('suspects')
return { summed('HLEN', 'seen'), pending, size('due') + size('due_placed'), size('expiry'), done, size('dead'),
  unpack(redis.call('HMGET', ARGV[1] .. 'job', 'pending', 'delayed', 'leased', 'done', 'dead')) }
