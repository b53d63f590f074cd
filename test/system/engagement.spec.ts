/** @lane real-time */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { byForm, eventually, first, present } from '@classroom/testing';
import type { ClassroomPage } from './browser.js';
import { ClassScene } from './class-scene.js';

const SAMPLE_RATE = 48_000;

/** A second of a tone as a WAV file. The microphone plays it again and again: otherwise it beeps too briefly to be speech. */
function tone(): Buffer {
  const samples = Int16Array.from({ length: SAMPLE_RATE }, (_, i) => 12_000 * Math.sin((2 * Math.PI * 400 * i) / SAMPLE_RATE));
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + samples.byteLength, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(SAMPLE_RATE, 24);
  header.writeUInt32LE(SAMPLE_RATE * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(samples.byteLength, 40);
  return Buffer.concat([header, Buffer.from(samples.buffer)]);
}

/** Something happened between two times, in milliseconds. */
interface Span {
  from: number;
  to: number;
}

/** What the school's backend learns about a class, compared with what the participants did. */
describe('engagement and quality', () => {
  let folder: string;
  let scene: ClassScene;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'engagement-'));
    const file = join(folder, 'tone.wav');
    await writeFile(file, tone());
    scene = await ClassScene.start(undefined, [`--use-file-for-fake-audio-capture=${file}`]);
  });

  afterEach(async () => expect(await scene.tidy()).toEqual([]));

  afterAll(async () => {
    await scene?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Turns a device on or off. @returns the times between which that happened, in milliseconds */
  async function turn(page: ClassroomPage, device: 'microphone' | 'camera', isOn: boolean): Promise<Span> {
    await eventually(async () => expect(await page.isOn(device)).toBe(String(!isOn)));
    const from = Date.now();
    await page.press(device);
    await eventually(async () => expect(await page.isOn(device)).toBe(String(isOn)));
    return { from, to: Date.now() };
  }

  /** The device was on for at least as long as from the end of one span to the beginning of the other. */
  function expectWithinTwoSeconds(seconds: number, on: Span, off: Span): void {
    expect(seconds).toBeGreaterThan((off.from - on.to) / 1000 - 2);
    expect(seconds).toBeLessThan((off.to - on.from) / 1000 + 2);
  }

  /** Waits until the page has shown its own camera in so many more frames, five in a second. */
  async function showsFrames(page: ClassroomPage, count: number): Promise<void> {
    const before = await page.framesOf('teacher');
    await eventually(async () => expect((await page.framesOf('teacher')) - before).toBeGreaterThan(count), 60_000);
  }

  it('are known within two seconds of what a participant did, and why the connection was as it was', async () => {
    const { roomId, iframeUrl } = await scene.room({ customization: { showLobby: true } });
    const ada = await scene.member(roomId, 'ada', 'STUDENT');
    const helper = await scene.member(roomId, 'helper', 'MODERATOR');
    await helper.rtc.publishTone();
    const teacher = await scene.open(iframeUrl);
    for (const device of ['microphone', 'camera'] as const) await turn(teacher, device, false);
    await teacher.join();

    const cameraOn = await turn(teacher, 'camera', true);
    await showsFrames(teacher, byForm({ short: 5, long: 15 }));
    const microphoneOn = await turn(teacher, 'microphone', true);
    await eventually(async () => expect(await teacher.count('.tile[data-uid=teacher][data-speaking=true]')).toBe(1));
    await showsFrames(teacher, 20);
    const microphoneOff = await turn(teacher, 'microphone', false);
    await ada.api.post('/v1/classroom/hand', { raised: true });
    for (const text of ['Hello', 'Again']) await ada.api.post('/v1/classroom/chat', { text });
    await ada.api.post('/v1/classroom/reactions', { emoji: '👍' });
    await ada.api.post('/v1/classroom/tutor/chat/stream', { text: 'What is a hypotenuse?' });
    // The statistics are read five seconds after the join, and then every ten seconds. The short form reads them once.
    await showsFrames(teacher, byForm({ short: 10, long: 40 }));
    const cameraOff = await turn(teacher, 'camera', false);
    // The page is left as by a click on a link. The other one has an icon: a missing one would be an error in the console.
    await teacher.page.goto(`${scene.stack.urls.gateway}/console`);

    const engagementOf = async (uid: string) => {
      const { participants } = (await scene.api.get(`/v1/room/${roomId}/engagement`)).body.data;
      return first(participants.filter((one) => one.uid === uid));
    };
    await eventually(async () => expect((await engagementOf('teacher')).measuredSeconds).toBeGreaterThan(0));
    const { talkSeconds, cameraSeconds, connections } = await engagementOf('teacher');
    expect(connections).toBe(1);
    expectWithinTwoSeconds(present(talkSeconds), microphoneOn, microphoneOff);
    expectWithinTwoSeconds(present(cameraSeconds), cameraOn, cameraOff);
    const counted = { handsRaised: 1, chatMessages: 2, reactions: 1, pollAnswers: 0, tutorQuestions: 1, talkSeconds: null };
    expect(await engagementOf('ada')).toMatchObject(counted);

    const quality = (await scene.api.get(`/v1/room/${roomId}/participants/teacher/quality`)).body.data;
    expect(quality).toMatchObject({ verdict: expect.stringMatching(/^(good|fair|poor)$/), connections: 1, mos: expect.any(Number) });
    expect(quality.joinSeconds).toBeGreaterThan(0);
    const minute = first(quality.minutes);
    expect([minute.sentKbps > 0, minute.receivedKbps > 0, minute.roundTripMs]).toEqual([true, true, expect.any(Number)]);
  });
});
