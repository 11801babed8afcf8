-- Settling: leases end, each with what was learned of its host.
local END = '<xxxxxxxxdxBdddBc0Bc0Bc0Bc0' -- after name and token: flags, seconds, texts
local DONE, RETRY, BURY, AGAIN = 0, 1, 2, 3
local OUTCOME_AT = 17
local FETCHED, FRUITFUL, COUNTED, SLOW_HOST, ASKED, UNCHANGED = 1, 2, 4, 8, 16, 32
local SHAPES, TRIES = 500, 4 -- shapes watched per host; others looked at to find one that can be forgotten

local function has(flags, flag)
  return math.floor(flags / flag) % 2 == 1
end

local function read(name, packed)
  local token, flags, retry_after, asked, response, reason, address, shape, listing, from = struct.unpack(END, packed)
  return { again_s = from <= #packed and math.min((struct.unpack('<d', packed, from)), rules.again_cap_s), name = name, token = token, outcome = string.byte(packed, OUTCOME_AT), fetched = has(flags, FETCHED),
    fruitful = has(flags, FRUITFUL), counted = has(flags, COUNTED), slow_host = has(flags, SLOW_HOST), unchanged = has(flags, UNCHANGED),
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
  redis.call('ZADD', set, score(now + math.max(wait_s, delay_s(lane))), link.name)
  count('delayed', 1)
end

-- Let a link come again as if it were new.
local function ask_again(link, ending, lane)
  link.state, link.reason, link.stale, link.replay = DELAYED, ending.reason, false, false
  give_up_place(link)
  link.attempts, link.lost = 0, 0
  save_record(link)
  redis.call('ZADD', K.due, score(now + math.max(ending.again_s, delay_s(lane))), link.name)
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
  if ending.outcome == AGAIN then
    ask_again(link, ending, lane)
  elseif ending.outcome == DONE then
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
    rest_s = math.max(rest_s, math.min(backoff_s(host.strain), rules.rest_cap_s))
  elseif ending.fetched or ending.unchanged then
    host.strain = 0
  end
  let_host_rest(host, rest_s)
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

local sprung = false -- the page that was counted last has made a trap of its shape

local function count_barren(host, shape)
  local key = K.shapes .. host.name
  local barren = redis.call('HGET', key, shape)
  if barren == '-1' then return end
  if not barren and redis.call('HLEN', key) >= SHAPES then forget_one(key) end
  local pages = redis.call('HINCRBY', key, shape, 1)
  if pages >= rules.barren_pages then
    set_flag(host, TRAPPED, true)
    touch(host)
  end
  sprung = pages == rules.barren_pages
end

local function count_shapes(link, ending)
  if ending.shape ~= '' then
    if ending.fruitful then note_fruit(link.host, ending.shape) else count_barren(host_of(link.host), ending.shape) end
  end
  if ending.listing ~= '' then note_fruit(link.host, ending.listing) end
end

local done_words = {}

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
local HEAD = RECORD .. 'xxxxxxxxxxBxxH' -- flags and depth of the entry

local function settle_done(name, packed)
  local record = fetched[name]
  if not record then return 0 end
  local token, flags, retry_after, asked, response, reason, address, shape, listing = struct.unpack(END, packed)
  local state, held_token, worker, lane, link_flags, depth = struct.unpack(HEAD, record)
  if state ~= LEASED or held_token ~= token then return 0 end
  if link_flags >= REPLAY or flags % 2 == 0 or flags % 16 >= 8 or retry_after > 0 then return nil end
  local host = host_of(lane)
  fetched[name], dropped[name] = false, true
  end_lease(name, worker, host)
  learn(host, has(flags, ASKED) and math.min(asked, rules.crawl_delay_cap_s), address, response)
  count('held', -1)
  count('done', 1)
  note_done_number(name, done_number(depth, reason))
  host.strain = 0
  local delay = delay_s(host)
  if delay > 0 then
    let_host_rest(host, delay)
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

local LANE = '<xxxxxxxxxHc0Hc0' -- of a record

-- Read the records of links, and their hosts, at once.
local function fetch_for(names)
  local lanes = {}
  fetch_records(names)
  for _, name in ipairs(names) do
    if fetched[name] then
      local _, lane = struct.unpack(LANE, fetched[name])
      lanes[#lanes + 1] = lane
    end
  end
  fetch_hosts(lanes)
  fetch_rests(lanes)
end

-- Settle what is packed in the arguments from that one on; for each 0 when its token is no longer valid, else 1, or 2
-- when its URL shape has become a trap with it.
local function settle_all(from)
  local answers, names = {}, {}
  for at = from, #ARGV do names[at - from + 1] = string.sub(ARGV[at], 1, 8) end
  fetch_for(names)
  for at, name in ipairs(names) do
    local packed = ARGV[at + from - 1]
    sprung = false
    answers[at] = string.byte(packed, OUTCOME_AT) == DONE and settle_done(name, packed) or settle(read(name, packed))
    if sprung then answers[at] = 2 end
  end
  save_fruits()
  save_endings()
  return answers
end
