-- Counts the streams that a replica has open, and says how many all have.
-- KEYS    1 hash: replica → "count until"
-- ARGV    1 replica   2 its count   3 now in ms   4 until when its word counts, in ms
-- Returns the count of all replicas whose word still counts
local now, sum = tonumber(ARGV[3]), tonumber(ARGV[2])
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  local count, till = string.match(all[i + 1], '^(%d+) (%d+)$')
  if tonumber(till) < now then
    redis.call('HDEL', KEYS[1], all[i])
  elseif all[i] ~= ARGV[1] then
    sum = sum + tonumber(count)
  end
end
if tonumber(ARGV[2]) > 0 then
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ' ' .. ARGV[4])
  redis.call('PEXPIRE', KEYS[1], tonumber(ARGV[4]) - now)
else
  redis.call('HDEL', KEYS[1], ARGV[1])
end
return sum
