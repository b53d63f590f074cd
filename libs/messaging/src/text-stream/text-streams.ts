import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { NatsConnection } from '@nats-io/transport-node';
import { ShutdownDeadline, InBackground, type Task } from '@classroom/platform';
import { NATS } from '../tokens.js';
import { startTextStream, type TextSource } from './writer.js';

/** Time for the process to close the sources of its streams, in milliseconds. */
const END_MS = 2_000;

/** The streams that this process sends. An orderly stop lets the readers read them to the end. */
@Injectable()
@InBackground('any')
export class TextStreams implements Task {
  private readonly inProgress = new Set<Promise<void>>();

  constructor(
    @Inject(NATS) private readonly connection: NatsConnection,
    private readonly grace: ShutdownDeadline,
  ) {}

  start(): void {}

  async stop(): Promise<void> {
    await Promise.race([Promise.all(this.inProgress), sleep(this.grace.remaining(END_MS), undefined, { ref: false })]);
  }

  /** @returns the answer for the caller that gave the inbox */
  open(inbox: string, source: TextSource): { control: string } {
    const { control, done } = startTextStream(this.connection, inbox, source);
    this.inProgress.add(done);
    void done.finally(() => this.inProgress.delete(done));
    return { control };
  }
}
