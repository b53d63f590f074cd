// A process of run.ts that receives all pictures without a browser, and reads the numbers of the first participant.
import { setTimeout as sleep } from 'node:timers/promises';
import { followNumbers, readNumber } from './barcode.ts';
import { needs } from './needs.ts';
import type { RemoteTrack } from '@livekit/rtc-node';

const rtc = needs('testing', '@livekit/rtc-node') as typeof import('@livekit/rtc-node');

const room = new rtc.Room();
const numbers: (number | undefined)[] = [];
let isCounting = false;

async function receive(track: RemoteTrack, isFirst: boolean) {
  for await (const { frame } of new rtc.VideoStream(track)) {
    if (isFirst && isCounting) numbers.push(readNumber(frame.convert(rtc.VideoBufferType.I420).data, frame.width, frame.height));
  }
}

room.on(rtc.RoomEvent.TrackSubscribed, (track, _, participant) => {
  if (track.kind === rtc.TrackKind.KIND_VIDEO) void receive(track, participant.identity === 'person0');
});

process.on('message', async ({ url, token, seconds }: { url: string; token: string; seconds: number }) => {
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
