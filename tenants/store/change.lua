-- Writes or removes one tenant's document, unless somebody else changed it.
--
-- KEYS  1 the tenant's hash  2 the index  3 the version  4 the stored answer
-- ARGV  1 tenant  2 token that the change was decided on, or ''  3 new token
--       4 document, or '' to remove it  5 how many tenants there may be
--       6 stored answer, or ''  7 its milliseconds  8 channel
-- Returns OK, CONFLICT, FULL or ANSWERED (the answer is stored already).

local have = redis.call('HGET', KEYS[1], 'token') or ''
if have == ARGV[3] then
  return 'OK' -- the client library sent the script twice
end
if ARGV[6] ~= '' and redis.call('EXISTS', KEYS[4]) == 1 then
  return 'ANSWERED'
end
if have ~= ARGV[2] then
  return 'CONFLICT'
end
if ARGV[4] == '' then
  redis.call('DEL', KEYS[1])
  redis.call('HDEL', KEYS[2], ARGV[1])
else
  if have == '' and redis.call('HLEN', KEYS[2]) >= tonumber(ARGV[5]) then
    return 'FULL'
  end
  redis.call('HSET', KEYS[1], 'doc', ARGV[4], 'token', ARGV[3])
  redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
end
if ARGV[6] ~= '' then
  redis.call('SET', KEYS[4], ARGV[6], 'PX', ARGV[7])
end
redis.call('SET', KEYS[3], ARGV[3])
redis.call('PUBLISH', ARGV[8], ARGV[1])
return 'OK'
