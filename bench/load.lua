-- A script for wrk: wrk -s load.lua URL -- TARGETS THREADS
-- One line of TARGETS is one request target; each thread goes through its own
-- part of them again and again. At the end the script prints exact figures as a
-- line of JSON, because wrk itself rounds them.

local threads = 0

function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

function init(args)
  local count = tonumber(args[2])
  targets = {}
  for line in io.lines(args[1]) do
    targets[#targets + 1] = wrk.format("GET", line)
  end
  first = math.floor(number * #targets / count)
  last = math.floor((number + 1) * #targets / count)
  at = first
end

function request()
  at = at + 1
  if at > last then at = first + 1 end
  return targets[at]
end

function done(summary)
  local e = summary.errors
  io.write(string.format(
    '\n@{"requests":%d,"bytes":%d,"microseconds":%d,"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d}\n',
    summary.requests, summary.bytes, summary.duration, e.connect, e.read, e.write, e.status, e.timeout))
end
