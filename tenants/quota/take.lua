-- Takes from a bucket that fills evenly, up to a minute's worth.
-- KEYS    1 bucket: hash of what is left and when that was
-- ARGV    1 limit a minute   2 how many are wanted   3 now in ms
-- Returns {granted, left, ms until there is one more}
local limit, want, now = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local seen = redis.call('HMGET', KEYS[1], 'left', 'at')
local left, at = tonumber(seen[1]) or limit, tonumber(seen[2]) or now
left = math.min(limit, left + math.max(0, now - at) * limit / 60000)
local granted = math.min(want, math.floor(left))
left = left - granted
redis.call('HSET', KEYS[1], 'left', tostring(left), 'at', ARGV[3])
redis.call('PEXPIRE', KEYS[1], 120000)
local wait = 0
if left < 1 then wait = math.ceil((1 - left) * 60000 / limit) end
return {granted, math.floor(left), wait}
