import { eventually, expectPresenceInvariants, expectTruth, newRoom, sleep } from '@classroom/testing';
import { CLASS_APPS, PERIOD_S, startChaosStack, type ChaosStack } from './support.js';

/** LiveKit's timers run four times as fast: it drops an event after 7.5 s instead of 30 s, and an outage of 60 s takes 15 s. */
const TIME_SCALE = 4;
const OUTAGE_MS = 60_000 / TIME_SCALE;
const STEP_MS = 500;
/** Each participant stays for at least three passes: without webhooks, a participant who was in no list can't be known. */
const STAY_STEPS = 14;

const join = async ({ livekit }: ChaosStack, room: string, identity: string) =>
  (await livekit.connect({ room, identity, name: identity, attributes: { role: 'STUDENT' } })).sid;

describe('an outage of LiveKit’s webhooks', () => {
  let chaos: ChaosStack;
  beforeAll(async () => {
    chaos = await startChaosStack({ apps: CLASS_APPS, timeScale: TIME_SCALE });
  });
  afterEach(() => expectPresenceInvariants(chaos.stack));
  afterAll(() => chaos?.stop());

  it('for 60 s with 503 leaves presence as in LiveKit, with each end within two passes of the real one', async () => {
    const { stack, livekit, ingress, api } = chaos;
    const { sid, roomId } = await newRoom(api);
    const present: string[] = [];
    for (let n = 0; n < STAY_STEPS; n++) present.push(await join(chaos, sid, `early-${n}`));
    await eventually(() => expectTruth(stack, livekit, sid));
    // Long enough that they appear in a list, like all others here.
    await sleep(PERIOD_S * 1000);

    ingress.answerInstead = 503;
    // In each pass a participant joins and another leaves, so that all lists differ.
    for (let step = 0; step < OUTAGE_MS / STEP_MS; step++) {
      present.push(await join(chaos, sid, `late-${step}`));
      await livekit.leave(present.shift() ?? '');
      await sleep(STEP_MS);
    }
    ingress.answerInstead = undefined;

    const tolerance = { earlySeconds: 2 * PERIOD_S, lateSeconds: 1 };
    await eventually(() => expectTruth(stack, livekit, sid, tolerance), 2 * 3 * PERIOD_S * 1000);
    const status = await api.get(`/v1/room/${roomId}/status`);
    expect(status.body.data).toMatchObject({ isActive: true, participantCount: present.length });
    // The outage was long enough: LiveKit gave up some events and never sends them again.
    const [webhooks] = (await livekit.stats()).webhooks;
    expect((webhooks?.droppedAge ?? 0) + (webhooks?.failed ?? 0)).toBeGreaterThan(5);
  });
});
