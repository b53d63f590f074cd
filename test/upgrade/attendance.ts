import { randomUUID } from 'node:crypto';
import { expectBilledTruth, sleep, type SimulatedLiveKit, type TestStack } from '@classroom/testing';
import type { School } from '../chaos/mixed-load.js';

const EVERY_MS = 500;
/** Of each class at once; the one who came first goes when another comes. */
const PEOPLE = 4;
/** What lists tell of an end may be off by their period and a slow machine's second; webhooks are exact. */
const TOLERANCE = { earlySeconds: 5, lateSeconds: 5 };

/** People who come into classes and leave them, by LiveKit's own word alone, all the time. */
export class Attendance {
  private readonly there: string[][];
  private coming: Promise<unknown> = Promise.resolve();
  private readonly timer: NodeJS.Timeout;
  private turn = 0;

  constructor(
    private readonly livekit: SimulatedLiveKit,
    private readonly schools: School[],
  ) {
    this.there = schools.map(() => []);
    this.timer = setInterval(() => (this.coming = this.coming.then(() => this.next())), EVERY_MS);
  }

  /** Ends every class, and compares what was billed with who was there. */
  async expectTruth(stack: TestStack): Promise<void> {
    clearInterval(this.timer);
    await this.coming;
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
    const people = this.there[index] ?? [];
    const { sid } = await this.livekit.connect({ room, identity: `uid-${randomUUID()}`, attributes: { role: 'STUDENT' } });
    people.push(sid);
    if (people.length > PEOPLE) await this.livekit.leave(people.shift() ?? '');
  }
}
