'use strict';

// A process of run.js: receives everybody's pictures without a browser, and reads the first one's numbers.
const { setTimeout: sleep } = require('node:timers/promises');
const { followNumbers, readNumber } = require('./barcode');
const { needs } = require('./needs');
const rtc = needs('testing', '@livekit/rtc-node');

const room = new rtc.Room();
/** @type {Array<number | undefined>} */
const numbers = [];
let isCounting = false;

/** @param {any} track @param {boolean} isFirst */
async function receive(track, isFirst) {
  for await (const { frame } of new rtc.VideoStream(track)) {
    if (isFirst && isCounting) numbers.push(readNumber(frame.convert(rtc.VideoBufferType.I420).data, frame.width, frame.height));
  }
}

room.on(rtc.RoomEvent.TrackSubscribed, (/** @type {any} */ track, /** @type {any} */ _, /** @type {any} */ participant) => {
  if (track.kind === rtc.TrackKind.KIND_VIDEO) void receive(track, participant.identity === 'person0');
});

process.on('message', async (/** @type {{ url: string, token: string, seconds: number }} */ { url, token, seconds }) => {
  await room.connect(url, token, { autoSubscribe: true, dynacast: false });
  await sleep(2_000);
  const [before, begun] = [process.cpuUsage(), Date.now()];
  isCounting = true;
  await sleep(seconds * 1000);
  isCounting = false;
  const [{ user, system }, took] = [process.cpuUsage(before), (Date.now() - begun) / 1000];
  process.send?.({ cpu: (user + system) / 1e6 / (took / 60), fps: numbers.length / took, ...followNumbers(numbers) });
  await room.disconnect();
  process.exit(0);
});
process.once('disconnect', () => process.exit(0));
