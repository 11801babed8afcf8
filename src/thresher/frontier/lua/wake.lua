-- Wake: let links wait wherever they stood. ARGV[3…]: one packed link each. One letter per link comes back.
local function wake(link, shape)
  local held = record_of(link.name)
  if held and held.state ~= DELAYED and held.state ~= DEAD then return SEEN end
  if held then
    for _, set in ipairs({ K.due, K.due_placed, K.dead }) do redis.call('ZREM', set, link.name) end
    count(held.state == DEAD and 'dead' or 'delayed', -1)
    if held.placed and not held.replay then count('reserved', -1) end
    drop_record(held)
  else
    local word = seen_word(link.name)
    if not word then return offer(link, shape) end
    if string.sub(word, 1, 1) ~= 'd' then return SEEN end
    count('done', -1)
  end
  note_open(link.name, link.depth)
  enqueue(link)
  return ACCEPTED
end

return for_each_link(wake)
