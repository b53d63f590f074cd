import { within } from '@classroom/platform';

/** Milliseconds. A reachable server answers immediately. */
const DRAIN_MS = 5_000;

/** Drains a subscription or a connection. While NATS is unreachable, nats.js itself would wait for it without a limit. */
export const drained = (part: { drain(): Promise<void> }): Promise<void> => within(DRAIN_MS, part.drain()).catch(() => undefined);
