-- Renews a host's lease, if it is still that host's and has not run out.
--
-- KEYS
--   1 the session's lease: `<fence> <ttl ms> <end, Unix ms> <host>`
-- ARGV
--   1 host
--   2 fence
-- Returns
--   the lease as it is now, "" when there was nothing to renew

local fence, ttl, ends, host =
  string.match(redis.call('GET', KEYS[1]) or '', '^(%d+) (%d+) (%d+) (.+)$')
if fence ~= ARGV[2] or host ~= ARGV[1] then
  return ''
end

local clock = redis.call('TIME')
local now = tonumber(clock[1]) * 1000 + math.floor(tonumber(clock[2]) / 1000)
if now >= tonumber(ends) then
  return ''
end

local renewed = string.format('%s %s %.0f %s', fence, ttl, now + tonumber(ttl), host)
redis.call('SET', KEYS[1], renewed)
return renewed
