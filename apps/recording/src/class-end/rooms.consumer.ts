import { Injectable } from '@nestjs/common';
import { CONSUMERS, roomCreated, roomFinished, roomUpdated, type EventData, type EventEnvelope } from '@classroom/contracts';
import { Consumes } from '@classroom/messaging';
import { ApplyClassEnd } from './apply-class-end.js';
import { RoomsRepository } from '../recordings/rooms.repository.js';

@Injectable()
export class RoomsConsumer {
  constructor(
    private readonly rooms: RoomsRepository,
    private readonly applyClassEnd: ApplyClassEnd,
  ) {}

  @Consumes<EventEnvelope>(CONSUMERS.recordingRooms, { concurrency: 8, keyOf: ({ subject }) => subject })
  async handle({ type, data }: EventEnvelope): Promise<void> {
    if (type === roomCreated.type) return this.handleCreated(data as EventData<typeof roomCreated>);
    if (type === roomUpdated.type) return this.handleUpdated(data as EventData<typeof roomUpdated>);
    if (type === roomFinished.type) return this.applyClassEnd.execute(data as EventData<typeof roomFinished>);
  }

  /** Most rooms are not recorded automatically: nothing about these is stored. */
  private async handleCreated({ autoRecord, createdAt, ...room }: EventData<typeof roomCreated>): Promise<void> {
    if (autoRecord) await this.rooms.saveAutoRecord(room, autoRecord, createdAt);
  }

  private async handleUpdated({ autoRecord, updatedAt, ...room }: EventData<typeof roomUpdated>): Promise<void> {
    if (autoRecord !== undefined) await this.rooms.saveAutoRecord(room, autoRecord, updatedAt);
  }
}
