-- Applies one transition of a session, whole or not at all.
--
-- All checks come before the first write, and no call after it can fail, so
-- nothing is ever half written. Values are moved, never decoded.
--
-- KEYS
--   1    the session's document
--   2…n  every other key, in any order; arguments name keys by position
-- ARGV
--   1 commit id            2 schema of the writer
--   3 now (Unix ms)        4 how far Redis's clock may be off (ms)
--   5 expected head        6 new head ("" for a commit without events)
--   7 position of the idempotency record's key (0: none)
--   8 number of checks, then for each: position of a key, the value that it
--     must have ("": none): modes of ancestors, a lease that ran out
--   … number of arguments of the document's HSET, then these
--   … operations to the end, each: command, position of its key, position of
--     its second key (0: none), number of arguments, arguments
--     EVENTS <events> then for each event: entry id, type, raw hash, JSON
--     TRIM <events> first before: drops the events before `first`
--       and keeps the hash of `before`, the last one dropped
--     OVERVIEW <tenant's document> <tenant's events> kept step ttl then the
--       places, counted from 1, of the events of EVENTS that are appended to
--       the tenant's log
--     ANNOUNCE <channel> command message: publishes what OVERVIEW has to tell
--       (new seq, a space, hash before, new hash; else nothing) and the message
--       after a line break
--     RENAME does nothing when there is nothing to rename
--     any other command is Redis's own
-- Returns
--   OK          applied, now or by an earlier run of this commit id
--   IDEMPOTENT  the idempotency record exists
--   CONFLICT    the head or what is checked is not the expected one
--   SCHEMA      the document was written by a newer build
--   SKEW        the writer's clock is off

local KEPT = 16 -- commit ids

local NIL = string.rep('\0', 32) -- the hash before the first event

local call = redis.call
local doc = KEYS[1]
local id, schema = ARGV[1], tonumber(ARGV[2])
local idem = tonumber(ARGV[7])

if idem > 0 then
  local record = call('GET', KEYS[idem])
  if record then
    if string.sub(record, 1, #id + 1) == id .. '\n' then
      return 'OK'
    end
    return 'IDEMPOTENT'
  end
end

local state = call('HMGET', doc, '@head', '@commits', 'schema')

if (state[1] or '') ~= ARGV[5] then
  local slots = {}
  for i = 0, KEPT - 1 do
    slots[i + 1] = '@c' .. i
  end
  for _, earlier in ipairs(call('HMGET', doc, unpack(slots))) do
    if earlier == id then
      return 'OK'
    end
  end
  return 'CONFLICT'
end

if state[3] and tonumber(state[3]) > schema then
  return 'SCHEMA'
end

local at = 9
for _ = 1, tonumber(ARGV[8]) do
  local value = call('GET', KEYS[tonumber(ARGV[at])])
  if (value or '') ~= ARGV[at + 1] then
    return 'CONFLICT'
  end
  at = at + 2
end

local clock = call('TIME')
local now = tonumber(clock[1]) * 1000 + tonumber(clock[2]) / 1000
if math.abs(now - tonumber(ARGV[3])) > tonumber(ARGV[4]) then
  return 'SKEW'
end

local n = tonumber(ARGV[at])
if ARGV[6] ~= '' then
  local commits = tonumber(state[2] or '0') + 1
  call('HSET', doc, '@head', ARGV[6], '@commits', commits,
    '@c' .. commits % KEPT, id, unpack(ARGV, at + 1, at + n))
  if state[3] ~= ARGV[2] then
    call('HSET', doc, 'schema', ARGV[2])
  end
end
at = at + n + 1

local function trim(owner, events, first, before)
  local last = call('XRANGE', events, before, before)[1]
  if last then
    call('HSET', owner, '@base', last[2][4] .. string.match(before, '^%d+'))
    call('XTRIM', events, 'MINID', first)
  end
end

local function raw(hex)
  return (string.gsub(hex, '%x%x', function(byte) return string.char(tonumber(byte, 16)) end))
end

local appended -- where the first argument of EVENTS is
local told = '' -- of the tenant's log

-- Its numbers and hashes are given here, because other sessions append to it too.
local function overview(owner, events, from, to)
  local kept, step = tonumber(ARGV[from]), tonumber(ARGV[from + 1])
  local head = call('HGET', owner, '@head') or ''
  if head ~= '' and call('EXISTS', events) == 0 then
    call('HSET', owner, '@base', head) -- its time was over
  end
  local seq, hash = tonumber(string.sub(head, 33)) or 0, head == '' and NIL or string.sub(head, 1, 32)
  local before, prev = seq, hash
  for i = from + 3, to do
    local e = appended + 4 * (tonumber(ARGV[i]) - 1)
    seq = seq + 1
    hash = raw(redis.sha1hex(hash .. ARGV[e + 2])) .. string.rep('\0', 12)
    call('XADD', events, seq .. '-0', 't', ARGV[e + 1], 'h', hash, 'j', ARGV[e + 3])
  end
  call('HSET', owner, '@head', hash .. seq)
  call('PEXPIRE', events, ARGV[from + 2])
  local cut = seq - seq % step - kept
  if cut > 0 and before < cut + kept then
    trim(owner, events, (cut + 1) .. '-0', cut .. '-0')
  end
  told = seq .. ' ' .. prev .. hash
end

while ARGV[at] do
  local command, key, other = ARGV[at], KEYS[tonumber(ARGV[at + 1])], KEYS[tonumber(ARGV[at + 2])]
  local from, to = at + 4, at + 3 + tonumber(ARGV[at + 3])
  if command == 'EVENTS' then
    appended = from
    for i = from, to, 4 do
      call('XADD', key, ARGV[i], 't', ARGV[i + 1], 'h', ARGV[i + 2], 'j', ARGV[i + 3])
    end
  elseif command == 'TRIM' then
    trim(doc, key, ARGV[from], ARGV[from + 1])
  elseif command == 'OVERVIEW' then
    overview(key, other, from, to)
  elseif command == 'ANNOUNCE' then
    call(ARGV[from], key, told .. '\n' .. ARGV[to])
  elseif command == 'RENAME' then
    if call('EXISTS', key) == 1 then
      call('RENAME', key, other)
    end
  else
    call(command, key, unpack(ARGV, from, to))
  end
  at = to + 1
end

return 'OK'
