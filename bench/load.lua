-- A script for wrk: wrk -s load.lua URL [-- TARGETS THREADS]
-- Without TARGETS, wrk repeats the request for URL. One line of the file TARGETS is one path; each
-- thread goes through its own part of them again and again. At the end the script prints exact
-- figures as a line of JSON, because wrk itself rounds them.

local threads = 0

function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

function init(args)
  if not args[1] then return end
  local count = tonumber(args[2])
  targets = {}
  for line in io.lines(args[1]) do
    targets[#targets + 1] = wrk.format("GET", line)
  end
  first = math.floor(number * #targets / count)
  last = math.floor((number + 1) * #targets / count)
  at = first
  request = next_target
end

function next_target()
  at = at + 1
  if at > last then at = first + 1 end
  return targets[at]
end

function done(summary)
  local e = summary.errors
  io.write(string.format('\n@{"requests":%d,"bytes":%d,"microseconds":%d,"errors":%d}\n', summary.requests,
    summary.bytes, summary.duration, e.connect + e.read + e.write + e.status + e.timeout))
end
