import { describeRecordingConformance, type RecordingSubject } from '@classroom/testing';
import { type EngineKind, RecordingFixture } from './support/recording-fixture.js';

jest.setTimeout(90_000);

/** Milliseconds within which an engine must refuse a start: 10 s for LiveKit Egress, 5 s for our own recorders. */
const REFUSES_WITHIN = { egress: 10_500, embedded: 5_000 };

let fixture: RecordingFixture | undefined;
afterAll(() => fixture?.stop());

/** The simulations pass what the real recorder passes in test/system/recording-conformance.spec.ts. */
async function simulated(kind: EngineKind): Promise<RecordingSubject> {
  const running = (fixture ??= await RecordingFixture.start());
  await running.use(kind);
  const { engine } = running;
  return {
    engine,
    refusesWithin: REFUSES_WITHIN[kind],
    open: async (overrides) => running.newClass(overrides).asRecordable(),
    expectInvariants: () => running.reset(),
    async withoutRecorder(work) {
      // LiveKit without an egress worker answers after 21 s.
      engine.behave({ slots: 0, refusesAfterMs: 22_000 });
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
describeRecordingConformance('LiveKit Egress, simulated', () => simulated('egress'));
