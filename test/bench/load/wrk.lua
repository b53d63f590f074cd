-- Prepares all requests of one connection before the load starts, and prints the result as one line of JSON.
-- Arguments: status | join | create, organization, room prefix, rooms, participants.
local kind, organization, prefix, rooms, participants
local requests, sent = {}, 0

local function post(path, body)
  return wrk.format("POST", path, { ["VF-ORG-ID"] = organization, ["Content-Type"] = "application/json" }, body)
end

local function person(number)
  return string.format('{"uid":"student-%d","name":"Student %d","role":"STUDENT"}', number, number)
end

local function create(number)
  local body = string.format('{"roomId":"%s-%d","title":"Bench class","participant":%s}', prefix, number, person(1))
  return post("/v1/room/create", body)
end

function init(args)
  kind, organization, prefix = args[1], args[2], args[3]
  rooms, participants = tonumber(args[4]), tonumber(args[5])
  if kind == "create" then return end
  for number = 0, rooms * participants - 1 do
    local path = "/v1/room/" .. prefix .. "-" .. number % rooms .. "/" .. kind
    if kind == "join" then
      requests[number + 1] = post(path, '{"participant":' .. person(math.floor(number / rooms)) .. '}')
    else
      requests[number + 1] = wrk.format("GET", path, { ["VF-ORG-ID"] = organization })
    end
  end
end

function request()
  sent = sent + 1
  if kind == "create" then return create(sent) end
  return requests[(sent - 1) % #requests + 1]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"seconds":%f,"p50":%f,"p99":%f,"refused":%d,"broken":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
