import type { EventType, GapEvent, HistoryEvent, VirtualClassroom } from '@virtual-classroom/sdk';
import type { Command } from 'commander';
import { time } from '../output/text.js';
import type { Session } from '../session.js';
import { declare, type Extent, group, paged, pageSize, parseCount, parseList, parseSequence, take } from './declare.js';

export interface Following {
  types?: string[];
  after?: string;
  count?: number;
}

/** Adds the options of a command that follows the events of the organization. */
export const following = (command: Command): Command =>
  command
    .option('--types <types>', 'events of these types only, separated by commas', parseList)
    .option(
      '--after <sequence>',
      'begin after the event with this sequence: 0 is the whole history; without it, with the next event',
      parseSequence,
    )
    .option('--count <count>', 'end after so many events', parseCount);

/** The service checks the types, so that newer ones can be named. */
const typesOf = (types: string[] | undefined) => types as EventType[] | undefined;

/** The sequence after which to begin: the one that was given, or the newest. It is known before the stream connects, so no later event is missed. */
export const beginning = async (client: VirtualClassroom, { after }: Following): Promise<string> =>
  after ?? String((await client.events.list({ limit: 1 }).page()).lastSequence);

/**
 * Handles each event as it happens, one after another, until the user ends the command or `count` events were handled.
 * @returns the sequence of the last event that was handled, or `after`
 */
export async function follow(
  client: VirtualClassroom,
  { types, after, count = Infinity, signal }: Following & { after: string; signal: AbortSignal },
  handle: (event: HistoryEvent) => Promise<void> | void,
  lost: (gap: GapEvent['data']) => void,
): Promise<string> {
  let last = after;
  let handled = 0;
  try {
    for await (const event of client.events.stream({ types: typesOf(types), after }, { signal })) {
      if (event.type === 'gap') {
        lost(event.data);
        continue;
      }
      await handle(event);
      last = String(event.sequence);
      if (++handled >= count) break;
    }
  } catch (failure) {
    if (!signal.aborted) throw failure;
  }
  return last;
}

/** What an event is about, for people. */
function subjectOf({ data }: HistoryEvent): string {
  const { roomId, uid, name, videoId, status, reason } = data as Record<string, unknown>;
  return [roomId ?? videoId, name ?? uid, status ?? reason].filter((it) => typeof it === 'string' && it !== '').join('  ');
}

export const gapText = ({ from, to }: GapEvent['data']) => `The events ${from} to ${to} have expired and cannot be shown.`;
export const resumeText = (command: string, { types, after }: Following) =>
  `Continue after the last event with: vc ${command}${types ? ` --types ${types.join(',')}` : ''} --after ${after}`;

export function addEvents(program: Command, session: Session): void {
  const events = group(program, 'events', 'events of the organization: follow them, or read the last 30 days');
  const show = (event: HistoryEvent) =>
    session.print.line(event, String(event.sequence).padStart(6), time(event.timestamp), event.type.padEnd(22), subjectOf(event));

  following(
    declare(events, 'tail', 'print events as they happen; Ctrl-C ends it', [
      'events tail',
      'events tail --types room.finished,recording.completed',
      'events tail --after 41 --json | jq .data.roomId',
    ]),
  ).action(async (options: Following) => {
    const client = session.client();
    const { signal } = session.io;
    const after = await beginning(client, options);
    session.print.note(`Waiting for events after ${after}. Ctrl-C ends it.`);
    const last = await follow(client, { ...options, after, signal }, show, (gap) => session.print.note(gapText(gap)));
    session.print.note(resumeText('events tail', { ...options, after: last }));
  });

  paged(
    declare(events, 'list', 'list the events of the last 30 days, oldest first', [
      'events list',
      'events list --after 41 --types room.finished --all --json',
    ]),
  )
    .option('--types <types>', 'events of these types only, separated by commas', parseList)
    .option('--after <sequence>', 'events after the one with this sequence', parseSequence)
    .action(async ({ types, after, ...extent }: Extent & Following) => {
      const pages = session.client().events.list({ types: typesOf(types), after, limit: pageSize(extent) });
      session.print.list(
        await take(pages, extent, session.print),
        [
          ['sequence', ({ sequence }) => sequence],
          ['time', ({ timestamp }) => time(timestamp)],
          ['type', ({ type }) => type],
          ['subject', subjectOf],
          ['id', ({ id }) => id],
        ],
        'There are no such events.',
      );
    });
}
