'use strict';

// Joins with the given url and token, prints its sid, and stays until it is killed.
const { Room } = require('@livekit/rtc-node');

const [url, token] = process.argv.slice(2);
const room = new Room();
void room.connect(url, token, { autoSubscribe: false, dynacast: false }).then(() => {
  process.stdout.write(`${room.localParticipant.sid}\n`);
  setInterval(() => undefined, 60_000);
});
