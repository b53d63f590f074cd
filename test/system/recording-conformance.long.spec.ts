/** @lane real-time */
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import {
  describeRecordingConformance,
  type Enter,
  expectRecordingInvariants,
  newOrganization,
  RecordedRoom,
  type RecordingSubject,
  RtcParticipant,
  TestStack,
} from '@classroom/testing';
import { SERVICES } from './recording-fixture.js';

let stack: TestStack | undefined;
afterAll(async () => {
  await RtcParticipant.disposeAll();
  await stack?.stop();
});

/** Chromium, a real LiveKit and a real film: slow, but it proves that the simulations in apps/recording/test/engines.it.spec.ts behave alike. */
async function real(): Promise<RecordingSubject> {
  const running = (stack = await TestStack.start({ apps: [...SERVICES, 'recorder'] }));
  const recorder = running.app('recorder');
  const { api } = await newOrganization(running);
  const enter: Enter = async ({ token }) => {
    const teacher = await RtcParticipant.connect(running.urls.livekitPublic, token);
    await teacher.publish();
  };
  return {
    open: (overrides) => RecordedRoom.open(running, api, enter, overrides),
    expectInvariants: () => expectRecordingInvariants(running),
    async inspect(film) {
      const ffprobe = spawnSync(
        join(dirname(process.env['FFMPEG_PATH'] ?? 'ffmpeg'), 'ffprobe'),
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
describeRecordingConformance('embedded recorder', real);
