import type { NatsConnection } from '@nats-io/transport-node';
import { CLOCK_SUBJECT, type ControlledTime, type SandboxTime } from '@classroom/contracts';
import { runLoops, type ControlledClock, type SandboxClock } from '@classroom/platform';
import { nameOf } from '../connection.js';

/** A test moves the clock. */
export function followControlledClock(connection: NatsConnection, clock: ControlledClock): void {
  connection.subscribe(CLOCK_SUBJECT, {
    callback: (error, message) => {
      if (!error) clock.moveTo(message.json<ControlledTime>().offsetMs);
    },
  });
}

/** The sandbox moves the clock, and waits for the answer of each process: its name, when its clock has moved and its loops have run. */
export function followSandboxClock(connection: NatsConnection, clock: SandboxClock): void {
  connection.subscribe(CLOCK_SUBJECT, {
    callback: (error, message) => {
      if (error) return;
      const { now, runsLoops } = message.json<SandboxTime>();
      clock.moveTo(new Date(now));
      void (runsLoops ? runLoops() : Promise.resolve()).then(() => message.respond(nameOf(connection)));
    },
  });
}
