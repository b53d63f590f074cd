import { randomUUID } from 'node:crypto';
import { expectBilledTruth, sleep, type SimulatedLiveKit, type TestStack } from '@classroom/testing';
import type { School } from '../chaos/mixed-load.js';

const EVERY_MS = 500;
/** Participants in each class at the same time. When another one joins, the first leaves. */
const PEOPLE = 4;
/** Tolerance for ends known only from participant lists: the period of the lists, and a second for a slow machine. Webhooks are exact. */
const TOLERANCE = { earlySeconds: 5, lateSeconds: 5 };

/** Simulated participants who continuously join and leave classes, known only from LiveKit's events. */
export class Attendance {
  private readonly present: string[][];
  private joining: Promise<unknown> = Promise.resolve();
  private readonly timer: NodeJS.Timeout;
  private turn = 0;

  constructor(
    private readonly livekit: SimulatedLiveKit,
    private readonly schools: School[],
  ) {
    this.present = schools.map(() => []);
    this.timer = setInterval(() => (this.joining = this.joining.then(() => this.next())), EVERY_MS);
  }

  /** Ends all classes and compares the billed sessions with the actual presence. */
  async expectTruth(stack: TestStack): Promise<void> {
    clearInterval(this.timer);
    await this.joining;
    const ends = await Promise.all(
      this.schools.map(async ({ api, roomId, sid }) => {
        const { status, body } = await api.delete(`/v1/room/${roomId}`);
        expect(status).toBe(200);
        return { sid, endedAt: Date.parse(body.data.endedAt) };
      }),
    );
    await sleep(2_000);
    for (const { sid, endedAt } of ends) await expectBilledTruth(stack, this.livekit, sid, endedAt, TOLERANCE);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async next(): Promise<void> {
    const index = this.turn++ % this.schools.length;
    const { sid: room = '' } = this.schools[index] ?? {};
    const people = this.present[index] ?? [];
    const { sid } = await this.livekit.connect({ room, identity: `uid-${randomUUID()}`, attributes: { role: 'STUDENT' } });
    people.push(sid);
    if (people.length > PEOPLE) await this.livekit.leave(people.shift() ?? '');
  }
}
