import { byForm, describeRecordingConformance, isLongForm, type RecordingSubject } from '@classroom/testing';
import { type EngineKind, RecordingFixture } from './support/recording-fixture.js';

/**
 * Milliseconds after which LiveKit without an egress worker answers. The long form waits until the service refuses a start by itself: the
 * fixture's calls do not wait until LiveKit answers.
 */
const REFUSES_AFTER_MS = byForm({ short: 200, long: 22_000 });

let fixture: RecordingFixture | undefined;
afterAll(() => fixture?.stop());

/** The simulations pass what the real recorder passes in test/system/recording-conformance.long.spec.ts. */
async function simulated(kind: EngineKind): Promise<RecordingSubject> {
  const running = (fixture ??= await RecordingFixture.start());
  await running.use(kind);
  const { engine } = running;
  return {
    engine,
    open: async (overrides) => running.newClass(overrides).asRecordable(),
    expectInvariants: () => running.reset(),
    async withoutRecorder(work) {
      engine.behave({ slots: 0, refusesAfterMs: REFUSES_AFTER_MS });
      return work().finally(() => engine.resetBehaviour());
    },
    async loseRecorder(sid) {
      const capture = engine.running(sid);
      capture.vanish();
      await capture.recover();
    },
  };
}

describeRecordingConformance('embedded recorder, simulated', () => simulated('embedded'));
if (isLongForm) describeRecordingConformance('LiveKit Egress, simulated', () => simulated('egress'));
