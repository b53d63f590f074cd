import type { listRooms, RpcOutput } from '@classroom/contracts';
import { cell, line } from '@classroom/platform';
import { pagesFrom } from '../http/long-answers.js';

type Page = RpcOutput<typeof listRooms>;
type Room = Page['rooms'][number];

const HEADER = 'Room ID,Title,Status,Planned Start,Started At,Ended At,Duration (Minutes),Teachers,Participants';

/** The list of classes as CSV, one row each. A page is read when the reader has taken the one before. */
export async function* roomsCsv(first: Page, read: (cursor: string) => Promise<Page>): AsyncGenerator<string> {
  yield line(HEADER);
  for await (const { rooms } of pagesFrom(first, read)) if (rooms.length > 0) yield rooms.map(toLine).join('');
}

const toLine = ({ roomId, title, status, startsAt, startedAt, endedAt, teachers = [], totalParticipants }: Room) =>
  line(
    [
      cell(roomId),
      cell(title),
      status,
      startsAt ?? '',
      startedAt ?? '',
      endedAt ?? '',
      startedAt && endedAt ? ((Date.parse(endedAt) - Date.parse(startedAt)) / 60_000).toFixed(2) : '',
      cell(teachers.join(', ')),
      totalParticipants ?? '',
    ].join(','),
  );
