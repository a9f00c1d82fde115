-- Appends a seal to an audit log, if the last one is still what it follows.
--
-- KEYS
--   1 the log
--   2 its state: a hash of `sum` (of the last seal) and `upto` (the last entry
--     that it names)
-- ARGV
--   1 the sum that the seal follows ("": it is the first)
--   2 its own sum
--   3 the last entry that it names
--   4 the seal
--   5 the oldest id that is retained
--   6 how many lines are retained at most
-- Returns
--   1 appended, or was before; 0 another one was

local sum = redis.call('HGET', KEYS[2], 'sum') or ''
if sum == ARGV[2] then
  return 1 -- the client library sent the script twice
end
if sum ~= ARGV[1] then
  return 0
end
redis.call('XADD', KEYS[1], '*', 's', ARGV[4])
redis.call('HSET', KEYS[2], 'sum', ARGV[2], 'upto', ARGV[3])

if redis.call('XRANGE', KEYS[1], '-', '(' .. ARGV[5], 'COUNT', 1)[1] then
  -- up to a seal, so that those behind it have all that they name
  for _, line in ipairs(redis.call('XRANGE', KEYS[1], ARGV[5], '+', 'COUNT', 1000)) do
    if line[2][1] == 's' then
      redis.call('XTRIM', KEYS[1], 'MINID', line[1])
      break
    end
  end
end
redis.call('XTRIM', KEYS[1], 'MAXLEN', ARGV[6])
return 1
