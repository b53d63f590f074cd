import { spawnSync } from 'node:child_process';
import { describeRecordingConformance, RtcParticipant, TestStack, type RecordingSubject } from '@classroom/testing';
import { SERVICES, startRecordingBench, type RecordingBench } from './recording-bench.js';

let bench: RecordingBench | undefined;
let stack: TestStack | undefined;
afterAll(async () => {
  await RtcParticipant.disposeAll();
  await bench?.stop();
  await stack?.stop();
}, 60_000);

/** Milliseconds within which an engine must refuse a start: 10 s for LiveKit Egress, 5 s for our own recorders. */
const REFUSES_WITHIN = { egress: 10_500, embedded: 5_000 };

async function simulated(kind: 'egress' | 'embedded'): Promise<RecordingSubject> {
  bench ??= await startRecordingBench();
  const { stack, enter } = bench;
  const engine = await bench.use(kind);
  return {
    stack,
    engine,
    enter,
    refusesWithin: REFUSES_WITHIN[kind],
    patience: 10_000,
    async withoutRecorder(work) {
      engine.behave({ slots: 0, refusesAfterMs: 22_000 });
      return work().finally(() => engine.behaveWell());
    },
    async loseRecorder(sid) {
      const capture = engine.running(sid);
      capture.vanish();
      await capture.salvage();
    },
  };
}

describeRecordingConformance('LiveKit Egress, simulated', () => simulated('egress'));
describeRecordingConformance('embedded recorder, simulated', () => simulated('embedded'));

/** Chromium, a real LiveKit and a real film: slow, but it proves that the simulations behave alike. */
async function real(): Promise<RecordingSubject> {
  await bench?.stop();
  bench = undefined;
  stack = await TestStack.start({ apps: [...SERVICES, 'recorder'] });
  const { urls } = stack;
  const recorder = stack.app('recorder');
  return {
    stack,
    refusesWithin: REFUSES_WITHIN.embedded,
    patience: 40_000,
    async inspect(film) {
      const ffprobe = spawnSync(
        process.env['FFPROBE_PATH'] ?? 'ffprobe',
        ['-v', 'error', '-show_entries', 'stream=codec_name,height', '-of', 'csv=p=0', '-'],
        {
          input: film,
          encoding: 'utf8',
        },
      );
      expect({ streams: ffprobe.stdout.trim().split('\n').sort(), errors: ffprobe.stderr }).toEqual({
        streams: ['aac', 'h264,1080'],
        errors: '',
      });
    },
    async enter({ token }) {
      const teacher = await RtcParticipant.connect(urls.livekitPublic, token);
      await teacher.publish();
    },
    async withoutRecorder(work) {
      await recorder.stop();
      return work().finally(() => recorder.start());
    },
    async loseRecorder() {
      await recorder.kill();
      await recorder.start();
    },
  };
}
describeRecordingConformance('embedded recorder', real, false);
