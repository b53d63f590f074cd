// A process of run.ts: participants with a camera that shows numbered pictures. The first one also flashes and beeps at each full second.
import { setTimeout as sleep } from 'node:timers/promises';
import { drawNumber } from './barcode.ts';
import { needs } from './needs.ts';
import type { AudioSource, LocalTrack, Room, VideoSource } from '@livekit/rtc-node';

const rtc = needs('testing', '@livekit/rtc-node') as typeof import('@livekit/rtc-node');

/** Small, so that publishing leaves the CPU to what is measured. */
const [WIDTH, HEIGHT] = [320, 180];
const FRAME_MS = 1000 / 30;
/** By default, LiveKit sends pictures this small at half the rate. */
const ENCODING = { maxBitrate: 400_000n, maxFramerate: 30 };
const SAMPLE_RATE = 48_000;
const SAMPLES = SAMPLE_RATE / 100;
const BEEP_HERTZ = 1_000;
const MARK_MS = 200;
/** Audio that is buffered in the source, in milliseconds. With more, the sound would be too late relative to the picture. */
const BUFFER_MS = 20;
const GRAY = 128;
/** The blue of the first participant, by which the reader of a film finds the tile. */
const BLUE = 215;

const rooms: Room[] = [];
const leaving = new AbortController();
let sent = 0;
let late = 0;

const isMark = (time: number) => time % 1000 < MARK_MS;

function painter(isFirst: boolean, shade: number) {
  const luma = WIDTH * HEIGHT;
  const waves = Uint8Array.from({ length: WIDTH * 2 * HEIGHT }, (_, i) => {
    const [x, y] = [i % (WIDTH * 2), Math.floor(i / (WIDTH * 2))];
    return 75 + 20 * Math.sin((2 * Math.PI * (x + y)) / 80 + shade) + 12 * Math.sin((2 * Math.PI * y) / 45);
  });
  return (number: number, now: number) => {
    const data = new Uint8Array((luma * 3) / 2).fill(isFirst ? BLUE : GRAY, luma, (luma * 5) / 4).fill(GRAY, (luma * 5) / 4);
    const left = Math.floor(now / 24) % WIDTH;
    for (let row = 0; row < HEIGHT; row += 1) data.set(waves.subarray(row * WIDTH * 2 + left, row * WIDTH * 2 + left + WIDTH), row * WIDTH);
    if (isFirst) data.fill(isMark(now) ? 235 : 40, 0, luma * 0.3);
    drawNumber(data, WIDTH, HEIGHT, number);
    return data;
  };
}

async function show(source: VideoSource, paint: (number: number, now: number) => Uint8Array, isFirst: boolean) {
  const begun = Date.now();
  for (let number = 0, due = 0; !leaving.signal.aborted; number += 1) {
    source.captureFrame(new rtc.VideoFrame(paint(number, Date.now()), WIDTH, HEIGHT, rtc.VideoBufferType.I420));
    if (isFirst) sent += 1;
    const passed = (Date.now() - begun) / FRAME_MS;
    // Missed pictures are not sent later: viewers would see two pictures at the same time as one.
    const next = Math.max(due + 1, Math.floor(passed));
    if (isFirst) late += next - due - 1;
    due = next;
    await sleep(Math.max(0, begun + due * FRAME_MS - Date.now()));
  }
}

async function beep(source: AudioSource) {
  while (!leaving.signal.aborted) {
    const waiting = source.queuedDuration;
    if (waiting > BUFFER_MS) {
      await sleep(waiting - BUFFER_MS / 2);
      continue;
    }
    const from = Date.now() + waiting;
    const data = new Int16Array(SAMPLES).map((_, i) => {
      const time = from + (i * 1000) / SAMPLE_RATE;
      return isMark(time) ? 12_000 * Math.sin((2 * Math.PI * BEEP_HERTZ * time) / 1000) : 0;
    });
    await source.captureFrame(new rtc.AudioFrame(data, SAMPLE_RATE, 1, SAMPLES)).catch(() => sleep(BUFFER_MS));
  }
}

/** @param index of the participant in its class */
async function enter(url: string, token: string, index: number) {
  const room = new rtc.Room();
  rooms.push(room);
  await room.connect(url, token, { autoSubscribe: false, dynacast: false });
  const publish = (track: LocalTrack, options: object) => room.localParticipant?.publishTrack(track, new rtc.TrackPublishOptions(options));
  const video = new rtc.VideoSource(WIDTH, HEIGHT);
  await publish(rtc.LocalVideoTrack.createVideoTrack('camera', video), {
    source: rtc.TrackSource.SOURCE_CAMERA,
    simulcast: false,
    videoEncoding: ENCODING,
  });
  if (index === 0) {
    const audio = new rtc.AudioSource(SAMPLE_RATE, 1);
    await publish(rtc.LocalAudioTrack.createAudioTrack('microphone', audio), { source: rtc.TrackSource.SOURCE_MICROPHONE, dtx: false });
    void beep(audio);
  }
  void show(video, painter(index === 0, index), index === 0);
}

process.on('message', async (message: { url: string; tokens: string[] } | 'counts') => {
  if (message === 'counts') return process.send?.({ sent, late });
  for (const [index, token] of message.tokens.entries()) await enter(message.url, token, index);
  return process.send?.('present');
});

async function end() {
  leaving.abort();
  await Promise.race([Promise.all(rooms.map((room) => room.disconnect().catch(() => undefined))), sleep(3_000)]);
  process.exit(0);
}
process.once('SIGTERM', end);
process.once('disconnect', end);
