-- A script for wrk with one target: wrk repeats the request, and the script prints
-- exact figures at the end. See load.lua for many targets.
function done(summary)
  local e = summary.errors
  io.write(string.format(
    '\n@{"requests":%d,"bytes":%d,"microseconds":%d,"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d}\n',
    summary.requests, summary.bytes, summary.duration, e.connect, e.read, e.write, e.status, e.timeout))
end
