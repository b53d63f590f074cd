import { Inject, Injectable } from '@nestjs/common';
import type { JetStreamClient } from '@nats-io/jetstream';
import { CONSUMERS, roomCreated, roomFinished, type EventData, type EventEnvelope } from '@classroom/contracts';
import { DurableConsumer, JETSTREAM } from '@classroom/messaging';
import { Background } from '@classroom/platform';
import { ClassEnd } from './class-end.js';
import { RoomCopies } from '../rooms/room-copies.js';

@Injectable()
export class RoomsEvents {
  constructor(background: Background, @Inject(JETSTREAM) jetstream: JetStreamClient, copies: RoomCopies, classEnd: ClassEnd) {
    background.add(
      new DurableConsumer<EventEnvelope>(jetstream, {
        declaration: CONSUMERS.recordingRooms,
        concurrency: 8,
        keyOf: ({ subject }) => subject,
        handle: async ({ type, data }) => {
          if (type === roomCreated.type) return copies.created(data as EventData<typeof roomCreated>);
          if (type === roomFinished.type) return classEnd.execute(data as EventData<typeof roomFinished>);
        },
      }),
    );
  }
}
