import type { PublicEvent } from '@classroom/contracts';
import type { HistoryPage } from './history-reader.js';

/** Milliseconds after which a client connects again. */
const RETRY_MS = 1_000;

/** Events that the client may not have and that are not sent, by the first and the last sequence. */
export interface Gap {
  from: number;
  to: number;
}

/** The part of the history after `after` that is no longer kept; all of it, if it is another history than the one of `after`, which was longer. */
export function gapAfter(after: number, { earliestSequence, lastSequence }: HistoryPage): Gap | undefined {
  if (after > lastSequence) return { from: 1, to: lastSequence };
  const earliest = earliestSequence ?? lastSequence + 1;
  return after + 1 < earliest ? { from: after + 1, to: earliest - 1 } : undefined;
}

/** Each part has an `id`, from which a client continues: also one that received no event yet, or none of the types it wants. */
const partOf = (id: number, ...lines: string[]) => [...lines, `id: ${id}`, '', ''].join('\n');

export const openingText = (id: number) => partOf(id, `retry: ${RETRY_MS}`);
export const heartbeatText = (id: number) => partOf(id, ': heartbeat');
export const gapText = (gap: Gap) => partOf(gap.to, 'event: gap', `data: ${JSON.stringify(gap)}`);
export const eventText = (event: PublicEvent) => partOf(event.sequence, `event: ${event.type}`, `data: ${JSON.stringify(event)}`);
