-- Settle: ARGV[3…] are packed settlements. For each, 1 or 0 comes back: whether its token was still valid.
local END = '<c8dBBdddBBBB'
local DONE, RETRY, BURY = 0, 1, 2
local OUTCOME_AT, TEXTS_AT = 17, 43
local FETCHED, FRUITFUL, COUNTED, SLOW_HOST, ASKED = 1, 2, 4, 8, 16
local SHAPES, TRIES = 500, 4 -- shapes watched per host; others looked at to find one that can be forgotten

local function has(flags, flag)
  return math.floor(flags / flag) % 2 == 1
end

-- The texts at the end of a settlement, after their lengths.
local function texts_of(packed)
  local one, two, three, four = string.byte(packed, TEXTS_AT, TEXTS_AT + 3)
  local at = TEXTS_AT + 4
  return string.sub(packed, at, at + one - 1), string.sub(packed, at + one, at + one + two - 1),
    string.sub(packed, at + one + two, at + one + two + three - 1),
    string.sub(packed, at + one + two + three, at + one + two + three + four - 1)
end

local function read(packed)
  local name, token, outcome, flags, retry_after, asked, response = struct.unpack(END, packed)
  local reason, address, shape, listing = texts_of(packed)
  return { name = name, token = token, outcome = outcome, fetched = has(flags, FETCHED),
    fruitful = has(flags, FRUITFUL), counted = has(flags, COUNTED), slow_host = has(flags, SLOW_HOST),
    asked_s = has(flags, ASKED) and math.min(asked, rules.crawl_delay_cap_s) or nil,
    retry_after_s = math.min(retry_after, rules.retry_after_cap_s), response_s = response,
    reason = reason, address = address, shape = shape, listing = listing }
end

local function learn(host, asked_s, address, response_s)
  if asked_s then host.asked_s = asked_s end
  if address ~= '' and address ~= host.address then
    give_up_turn(host)
    host.address = address
  end
  if response_s > 0 then host.pace_s = host.pace_s > 0 and (host.pace_s + response_s) / 2 or response_s end
end

local function delay_link(link, ending, lane)
  local wait_s = ending.retry_after_s
  if wait_s == 0 and ending.counted then wait_s = backoff_s(link.attempts) end
  link.state, link.reason, link.stale = DELAYED, ending.reason, false
  save_record(link)
  local set = (link.placed or link.replay) and K.due_placed or K.due
  redis.call('ZADD', set, exact(now + math.max(wait_s, delay_s(lane))), link.name)
  count('delayed', 1)
end

local function finish(link, ending)
  drop_record(link)
  if link.stale then
    link.replay, link.attempts, link.lost, link.reason = true, 0, 0, ending.reason
    note_open(link.name, link.depth)
    put_back(link)
    count('pending', 1)
  else
    note_done(link.name, link.depth, ending.reason)
    count('done', 1)
  end
end

local function move(link, ending, lane)
  if ending.outcome == RETRY and ending.counted then link.attempts = link.attempts + 1 end
  if ending.outcome == DONE then
    finish(link, ending)
  elseif ending.outcome == BURY or (ending.counted and link.attempts >= rules.max_attempts) then
    bury(link, ending.reason)
  else
    delay_link(link, ending, lane)
  end
end

-- Let the host rest from now, for longer when it said that it is too busy; a replay has no host.
local function let_rest(host, ending)
  if host.name == REPLAYS then return end
  local rest_s = math.max(delay_s(host), ending.retry_after_s)
  if ending.slow_host then
    host.strain = host.strain + 1
    rest_s = math.max(rest_s, backoff_s(host.strain))
  elseif ending.fetched then
    host.strain = 0
  end
  rest(host, now + rest_s)
  rest_address(host.address)
end

local function forget_one(key)
  for _ = 1, TRIES do
    local shape = redis.call('HRANDFIELD', key)
    if tonumber(redis.call('HGET', key, shape)) <= 2 then return redis.call('HDEL', key, shape) end
  end
end

local fruits = {} -- host → shapes that gave a document, each followed by the -1 that says so

local function note_fruit(host, shape)
  local shapes = fruits[host] or {}
  fruits[host] = shapes
  shapes[#shapes + 1] = shape
  shapes[#shapes + 1] = -1
end

-- Once many shapes are watched, a document counts only for those that gave a page without one before.
local function save_fruits()
  for host, shapes in pairs(fruits) do
    local key = K.shapes .. host
    if redis.call('HLEN', key) < SHAPES then
      call_in_parts('HSET', key, shapes)
    else
      for at = 1, #shapes, 2 do
        if redis.call('HEXISTS', key, shapes[at]) == 1 then redis.call('HSET', key, shapes[at], -1) end
      end
    end
  end
end

local function count_barren(host, shape)
  local key = K.shapes .. host.name
  local barren = redis.call('HGET', key, shape)
  if barren == '-1' then return end
  if not barren and redis.call('HLEN', key) >= SHAPES then forget_one(key) end
  if redis.call('HINCRBY', key, shape, 1) >= rules.barren_pages then
    set_flag(host, TRAPPED, true)
    touch(host)
  end
end

local function count_shapes(link, ending)
  if ending.shape ~= '' then
    if ending.fruitful then note_fruit(link.host, ending.shape) else count_barren(host_of(link.host), ending.shape) end
  end
  if ending.listing ~= '' then note_fruit(link.host, ending.listing) end
end

local done_words, held_less, done_more = {}, 0, 0

-- The number of a done word, without building the word each time.
local function done_number(depth, reason)
  local of = done_words[reason]
  if not of then
    of = {}
    done_words[reason] = of
  end
  if not of[depth] then of[depth] = done_word_number(depth, reason) end
  return of[depth]
end

-- The usual end, a page that is done: nothing of the link is needed any more but its host and depth.
local HEAD = RECORD .. 'c8BBBhH'

local function settle_done(packed)
  local name, token, _, flags, retry_after, asked, response = struct.unpack(END, packed)
  local record = fetched[name]
  if not record then return 0 end
  local state, held_token, worker, lane, _, _, _, link_flags, _, depth = struct.unpack(HEAD, record)
  if state ~= LEASED or held_token ~= token then return 0 end
  if link_flags >= REPLAY or flags % 2 == 0 or flags % 16 >= 8 or retry_after > 0 then return nil end
  local host, reason, address, shape, listing = host_of(lane), texts_of(packed)
  fetched[name], dropped[name] = false, true
  end_lease(name, worker, host)
  learn(host, has(flags, ASKED) and math.min(asked, rules.crawl_delay_cap_s), address, response)
  held_less, done_more = held_less + 1, done_more + 1
  note_done_number(name, done_number(depth, reason))
  host.strain = 0
  local delay = delay_s(host)
  if delay > 0 then
    rest(host, now + delay)
    rest_address(host.address)
  end
  if flags % 4 >= 2 then
    if shape ~= '' then note_fruit(lane, shape) end
    if listing ~= '' then note_fruit(lane, listing) end
  elseif shape ~= '' then
    count_barren(host, shape)
  end
  return 1
end

local function settle(ending)
  local link = record_of(ending.name)
  if not link or link.state ~= LEASED or link.token ~= ending.token then return 0 end
  local lane = lane_of(link)
  let_go(link)
  if not link.replay then
    learn(lane, ending.asked_s, ending.address, ending.response_s)
    count('held', -1)
    if not ending.fetched then give_up_place(link) end
  end
  move(link, ending, lane)
  let_rest(lane, ending)
  count_shapes(link, ending)
  return 1
end

local answers, names, lanes = {}, {}, {}
for at = 3, #ARGV do names[#names + 1] = string.sub(ARGV[at], 1, 8) end
fetch_records(names)
for _, name in ipairs(names) do
  if fetched[name] then
    local _, _, _, lane = struct.unpack(RECORD, fetched[name])
    lanes[#lanes + 1] = lane
  end
end
fetch_hosts(lanes)
for at = 3, #ARGV do
  local packed = ARGV[at]
  local answer = string.byte(packed, OUTCOME_AT) == DONE and settle_done(packed)
  answers[#answers + 1] = answer or settle(read(packed))
end
count('held', -held_less)
count('done', done_more)
save_fruits()
save_endings()
save_records()
save_seen()
save_hosts()
save_counts()
return answers
