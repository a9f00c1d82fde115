-- Takes a deadline: moves or removes its entry if nobody did so before.
--
-- KEYS
--   1 the bucket's deadlines
-- ARGV
--   1 member
--   2 the score that the taker saw
--   3 the new score ("" removes the entry)
-- Returns
--   1 taken, 0 somebody else has it or it changed

local score = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not score or tonumber(score) ~= tonumber(ARGV[2]) then
  return 0
end
if ARGV[3] == '' then
  redis.call('ZREM', KEYS[1], ARGV[1])
else
  redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
end
return 1
