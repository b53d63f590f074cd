import { Inject, Injectable } from '@nestjs/common';
import type { JetStreamClient } from '@nats-io/jetstream';
import { CONSUMERS, type EventEnvelope, type RecordingFact } from '@classroom/contracts';
import { DurableConsumer, JETSTREAM } from '@classroom/messaging';
import { Background } from '@classroom/platform';
import { RoomRecordings } from './room-recordings.js';

@Injectable()
export class RecordingEvents {
  constructor(background: Background, @Inject(JETSTREAM) jetstream: JetStreamClient, recordings: RoomRecordings) {
    background.add(
      new DurableConsumer<EventEnvelope<RecordingFact>>(jetstream, {
        declaration: CONSUMERS.roomRecording,
        concurrency: 4,
        keyOf: ({ subject }) => subject,
        handle: ({ data }) => recordings.apply(data),
      }),
    );
  }
}
