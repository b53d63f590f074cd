import { randomUUID } from 'node:crypto';
import { participantConnection, roomCheckpoint, roomStarted, roomUpdated, type EventData, type RoomBudget } from '@classroom/contracts';
import { envelopeOf } from '@classroom/testing';
import type { BillingFixture } from './billing-fixture.js';

/** A class whose participants stay. */
export class LiveRoom {
  readonly sid = `RM_${randomUUID()}`;
  private version = 0;
  private readonly joins: EventData<typeof participantConnection>[] = [];

  constructor(
    private readonly fixture: BillingFixture,
    readonly organizationId: string,
  ) {}

  private get room() {
    return { organizationId: this.organizationId, sid: this.sid, roomId: `room-of-${this.sid}` };
  }

  private get now(): string {
    return new Date(Math.floor(this.fixture.clock.at / 1000) * 1000).toISOString();
  }

  /** The fact of the first join, as the room service publishes it. */
  started(more: Partial<EventData<typeof roomStarted>> = {}): Promise<void> {
    const data = { ...this.room, title: 'A class', startedAt: this.now, ...more };
    return this.fixture.fold(envelopeOf(roomStarted, this.sid, data));
  }

  /** The fact of a change of the budget, the `budgetVersion`th. */
  rebudgeted(budget: RoomBudget | null, budgetVersion: number): Promise<void> {
    const data = { ...this.room, title: 'A class', updatedAt: this.now, budget, budgetVersion };
    return this.fixture.fold(envelopeOf(roomUpdated, this.sid, data));
  }

  async join(count: number): Promise<void> {
    const joins = Array.from({ length: count }, () => {
      this.version += 1;
      const uid = `uid-${this.version}`;
      const person = { connectionSid: `PA_${this.sid}_${this.version}`, uid, name: 'Ada', role: 'STUDENT', ip: null };
      const session = { joinedAt: this.now, leftAt: null, openedBy: 'webhook', closedBy: null, version: this.version };
      return { ...this.room, ...person, ...session };
    });
    this.joins.push(...joins);
    await this.fixture.foldAll(joins.map((join) => envelopeOf(participantConnection, this.sid, join)));
  }

  async leave(): Promise<void> {
    const leaves = this.joins.splice(0).map((join) => {
      this.version += 1;
      return { ...join, leftAt: this.now, closedBy: 'webhook', version: this.version };
    });
    await this.fixture.foldAll(leaves.map((leave) => envelopeOf(participantConnection, this.sid, leave)));
  }

  /** LiveKit's list contains everyone. */
  verify(): Promise<void> {
    const data = { ...this.room, version: this.version, verifiedAt: this.now, unseen: [] };
    return this.fixture.fold(envelopeOf(roomCheckpoint, this.sid, data));
  }
}
