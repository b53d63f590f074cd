import { Injectable } from '@nestjs/common';
import { CONSUMERS, roomCreated, roomFinished, type EventData, type EventEnvelope } from '@classroom/contracts';
import { Consumes } from '@classroom/messaging';
import { ApplyClassEnd } from './apply-class-end.js';
import { RoomsRepository } from '../rooms/rooms.repository.js';

@Injectable()
export class RoomsConsumer {
  constructor(
    private readonly rooms: RoomsRepository,
    private readonly applyClassEnd: ApplyClassEnd,
  ) {}

  @Consumes<EventEnvelope>(CONSUMERS.recordingRooms, { concurrency: 8, keyOf: ({ subject }) => subject })
  async handle({ type, data }: EventEnvelope): Promise<void> {
    if (type === roomCreated.type) return this.rooms.saveCreated(data as EventData<typeof roomCreated>);
    if (type === roomFinished.type) return this.applyClassEnd.execute(data as EventData<typeof roomFinished>);
  }
}
