-- The exact seen-set: buckets of fingerprints, each with the number of a word that says how the link stands:
-- "o3" open at depth 3, "d3 article" done for that reason, "x3" dead. There are few different words, so the number
-- mostly takes one byte. A bucket stays small enough for Redis to keep it packed, without pointers (10 to 12 bytes a
-- link): linear hashing splits one bucket whenever the mean exceeds LOAD, so none holds more than about 2 × LOAD.
-- 8 bits of a link's name choose one of the first buckets, 48 more are kept there: two of a million links share those
-- 56 bits by chance in one of 140,000 crawls.
local FIRST_BUCKETS, LOAD, WORDS = 256, 200, 4000
local buckets, seen, words, numbers
local whole = FIRST_BUCKETS -- the largest power of two of them that there are buckets

local function open_seen()
  if buckets then return end
  buckets, seen = tonumber(job.buckets or FIRST_BUCKETS), job_number('seen')
  words, numbers = {}, {}
  while whole * 2 <= buckets do whole = whole * 2 end
end

local function word_of(number)
  if not words[number] then words[number] = redis.call('HGET', K.codes, number) end
  return words[number]
end

local function number_of(word)
  if numbers[word] then return numbers[word] end
  local number = redis.call('HGET', K.codes, word)
  if not number then
    number = tostring(redis.call('HLEN', K.codes) / 2)
    if tonumber(number) >= WORDS and string.find(word, ' ', 1, true) then
      return number_of(string.match(word, '^%S+ ')) -- too many reasons to remember: done, for one that is forgotten
    end
    redis.call('HSET', K.codes, word, number, number, word)
  end
  numbers[word] = number
  return number
end

local function slot(first, more)
  local hash = first % FIRST_BUCKETS + FIRST_BUCKETS * more
  local at = hash % (whole * 2)
  return at < buckets and at or hash % whole
end

local function where(name)
  return K.seen .. slot(struct.unpack('>HI4', name)), string.sub(name, 3)
end

-- The word of a link; nil when it was never accepted.
local function seen_word(name)
  open_seen()
  local number = redis.call('HGET', where(name))
  return number and word_of(number)
end

local function seen_note(name, word)
  open_seen()
  local key, rest = where(name)
  redis.call('HSET', key, rest, number_of(word))
end

-- Add a link; false when it is known already.
local function seen_add(name, depth)
  open_seen()
  local key, rest = where(name)
  if redis.call('HSETNX', key, rest, number_of('o' .. depth)) == 0 then return false end
  seen = seen + 1
  return true
end

local function split()
  local source = buckets - whole
  local key, content = K.seen .. source, redis.call('HGETALL', K.seen .. source)
  buckets = buckets + 1
  if whole * 2 == buckets then whole = buckets end
  local stay, move = {}, {}
  for at = 1, #content, 2 do
    local half = slot(source, struct.unpack('>I4', content[at])) == source and stay or move
    half[#half + 1] = content[at]
    half[#half + 1] = content[at + 1]
  end
  redis.call('DEL', key)
  call_in_parts('HSET', key, stay)
  call_in_parts('HSET', K.seen .. (buckets - 1), move)
end

local function save_seen()
  if not buckets then return end
  while seen > buckets * LOAD do split() end
  note('buckets', buckets)
  note('seen', seen)
end

local function note_open(name, depth) seen_note(name, 'o' .. depth) end

local function done_word_number(depth, reason)
  open_seen()
  return number_of('d' .. depth .. ' ' .. reason)
end

local function note_done_number(name, number)
  local key, rest = where(name)
  redis.call('HSET', key, rest, number)
end

local function note_done(name, depth, reason) note_done_number(name, done_word_number(depth, reason)) end

local function note_dead(name, depth) seen_note(name, 'x' .. depth) end
