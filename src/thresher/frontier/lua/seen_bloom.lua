-- The Bloom seen-set: k bits of a bit array for each link. It knows only whether a link is known, and errs at the
-- rate that was set: a new link that is taken for a known one is never fetched. A full layer stays as it is and a new
-- one of twice the size and half the error rate is added, so the errors of all layers together stay below the rate.
local SMALLEST_ERROR = 1e-9
local layers, fill

local function open_seen()
  if layers then return end
  layers, fill = tonumber(job.layers or 1), job_number('fill')
end

local function layer(number)
  local wrong = math.max(rules.bloom_error / 2 ^ number, SMALLEST_ERROR)
  local capacity = rules.bloom_capacity * 2 ^ (number - 1)
  local bits = math.ceil(capacity * -math.log(wrong) / math.log(2) ^ 2)
  bits = math.min(bits, 4294967296) -- 512 MiB, the longest string
  return { key = K.bloom .. number, bits = bits, hashes = math.ceil(-math.log(wrong) / math.log(2)),
    capacity = math.min(capacity, math.floor(bits * math.log(2) ^ 2 / -math.log(wrong))) }
end

-- The arguments of BITFIELD for all bits of a link: k hash functions out of two.
local function bits_of(name, array, ...)
  local one, two = struct.unpack('>I4I4', name)
  local arguments, extra = {}, { ... }
  for number = 0, array.hashes - 1 do
    arguments[#arguments + 1] = extra[1]
    arguments[#arguments + 1] = 'u1'
    arguments[#arguments + 1] = string.format('%.0f', (one + number * two + number * number * number) % array.bits)
    arguments[#arguments + 1] = extra[2]
  end
  return arguments
end

local function all_set(bits)
  for _, bit in ipairs(bits) do
    if bit == 0 then return false end
  end
  return true
end

local function in_layer(name, number)
  local array = layer(number)
  return all_set(redis.call('BITFIELD', array.key, unpack(bits_of(name, array, 'GET'))))
end

local function seen_word(name)
  open_seen()
  for number = layers, 1, -1 do
    if in_layer(name, number) then return '?' end
  end
  return nil
end

-- Add a link; false when it is known already.
local function seen_add(name, _)
  open_seen()
  for number = layers - 1, 1, -1 do
    if in_layer(name, number) then return false end
  end
  local array = layer(layers)
  if fill == 0 then -- all of it at once: a string that grows bit by bit takes up to twice its size
    redis.call('SETRANGE', array.key, math.ceil(array.bits / 8) - 1, '\0')
  end
  if all_set(redis.call('BITFIELD', array.key, unpack(bits_of(name, array, 'SET', '1')))) then return false end
  fill = fill + 1
  if fill >= array.capacity then layers, fill = layers + 1, 0 end
  return true
end

local function save_seen()
  if not layers then return end
  note('layers', layers)
  note('fill', fill)
end

local function note_open() end

local function note_done() end

local function done_word_number() return 0 end

local function note_done_number() end

local function note_dead() end
