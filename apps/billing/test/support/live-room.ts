import { randomUUID } from 'node:crypto';
import { participantConnection, roomCheckpoint, roomCreated, type EventData } from '@classroom/contracts';
import { envelopeOf } from '@classroom/testing';
import type { BillingFixture } from './billing-fixture.js';

/** A class whose participants stay. */
export class LiveRoom {
  readonly sid = `RM_${randomUUID()}`;
  private version = 0;

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

  /** The fact of the creation, as the room service publishes it. */
  created(more: Partial<EventData<typeof roomCreated>> = {}): Promise<void> {
    const data = { ...this.room, title: 'A class', createdAt: this.now, autoRecord: false, ...more };
    return this.fixture.fold(envelopeOf(roomCreated, this.sid, data));
  }

  async join(count: number): Promise<void> {
    const joins = Array.from({ length: count }, () => {
      this.version += 1;
      const uid = `uid-${this.version}`;
      const person = { connectionSid: `PA_${this.sid}_${this.version}`, uid, name: 'Ada', role: 'STUDENT', ip: null };
      const session = { joinedAt: this.now, leftAt: null, openedBy: 'webhook', closedBy: null, version: this.version };
      return envelopeOf(participantConnection, this.sid, { ...this.room, ...person, ...session });
    });
    await this.fixture.foldAll(joins);
  }

  /** LiveKit's list contains everyone. */
  verify(): Promise<void> {
    const data = { ...this.room, version: this.version, verifiedAt: this.now, unseen: [] };
    return this.fixture.fold(envelopeOf(roomCheckpoint, this.sid, data));
  }
}
