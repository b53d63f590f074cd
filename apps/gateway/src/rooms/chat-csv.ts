import type { interactionRpc, RpcOutput } from '@classroom/contracts';
import { cell, line, row } from '@classroom/platform';
import { pagesFrom } from '../http/long-answers.js';

type Page = RpcOutput<typeof interactionRpc.chatPage>;
type Message = Page['messages'][number];

const HEADER = 'Sent At,UID,Name,Role,Message,Visible To,Reports,Deleted At,Deleted By,Message ID';

/**
 * The chat of a room as CSV: a title and the room, unless it is a table, then one row per message. Each page is read when the reader has taken the one
 * before.
 */
export async function* chatCsv(
  roomId: string,
  first: Page,
  isTable: boolean,
  read: (cursor: string) => Promise<Page>,
): AsyncGenerator<string> {
  const facts = isTable ? '' : line('Chat') + row('Room ID', roomId) + row('Room Title', first.title) + line();
  yield facts + line(HEADER);
  for await (const { messages } of pagesFrom(first, read)) if (messages.length > 0) yield messages.map(toLine).join('');
}

const toLine = ({ id, uid, name, role, text, sentAt, audience, reports = 0, deletedAt, deletedBy }: Message) =>
  line(
    [
      sentAt,
      cell(uid),
      cell(name),
      role,
      cell(text),
      audience === 'TEACHERS' ? 'Teachers' : 'Everyone',
      reports,
      deletedAt ?? '',
      deletedAt ? cell(deletedBy ?? 'Backend') : '',
      id,
    ].join(','),
  );
