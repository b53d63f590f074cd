import type { ChatMessage } from '@classroom/contracts';
import { chatCsv, remainingWait, tooEarly } from './chat.js';

const at = (seconds: number) => new Date(1_000_000 + seconds * 1000);

describe('slow mode', () => {
  it.each([
    [30, undefined, 0, 0],
    [0, 10, 10, 0],
    [30, 10, 10, 30_000],
    [30, 10, 39.5, 500],
    [30, 10, 40, 0],
    [30, 10, 100, 0],
    [30, 100, 10, 30_000],
  ])('of %d s after a message at %p leaves, at %d, a wait of %d ms', (slowModeSeconds, last, now, expected) => {
    expect(remainingWait(slowModeSeconds, last === undefined ? undefined : at(last), at(now))).toBe(expected);
  });

  it('states the wait in whole seconds, rounded up', () => {
    expect(tooEarly('Slow mode', 1).details).toEqual([{ path: 'retryAfter', message: '1' }]);
    expect(tooEarly('Slow mode', 1_001)).toMatchObject({ code: 'RATE_LIMITED', details: [{ message: '2' }] });
  });
});

const message = {
  id: '0b9f2c1e-6d1a-4f0e-9c57-2a8d4e6b1f30',
  uid: 'ada',
  name: '=Ada',
  role: 'STUDENT' as const,
  text: 'Hello',
  sentAt: '2030-01-01T00:00:00.000Z',
  version: 2,
};

const linesOf = (...pages: ChatMessage[][]) => written(pages);

async function written(pages: ChatMessage[][], isTable = false): Promise<string[]> {
  let text = '';
  for await (const part of chatCsv({ roomId: 'algebra', title: 'A class' }, isTable, read(pages))) text += part;
  return text.split('\r\n');
}

async function* read(pages: ChatMessage[][]): AsyncGenerator<ChatMessage[]> {
  yield* pages;
}

describe('the chat as CSV', () => {
  it('has the room, a header and one row per message, over all pages', async () => {
    const written = await linesOf([message], [], [{ ...message, text: 'a, "b"', audience: 'TEACHERS', reports: 2 }]);
    expect(written).toEqual([
      'Chat',
      'Room ID,algebra',
      'Room Title,"A class"',
      '',
      'Sent At,UID,Name,Role,Message,Visible To,Reports,Deleted At,Deleted By,Message ID',
      `2030-01-01T00:00:00.000Z,ada,'=Ada,STUDENT,Hello,Everyone,0,,,${message.id}`,
      `2030-01-01T00:00:00.000Z,ada,'=Ada,STUDENT,"a, ""b""",Teachers,2,,,${message.id}`,
      '',
    ]);
  });

  it('begins with its header as a table', async () => {
    expect((await written([[message]], true))[0]).toMatch(/^Sent At,UID,/);
  });

  it('states who deleted a message', async () => {
    const deleted = { ...message, text: '', deletedAt: '2030-01-01T00:01:00.000Z' };
    const messages = [
      { ...deleted, deletedBy: 'bob' },
      { ...deleted, deletedBy: null },
    ];
    expect((await linesOf(messages)).slice(5, 7).map((it) => it.split(',').slice(7, 9))).toEqual([
      [deleted.deletedAt, 'bob'],
      [deleted.deletedAt, 'Backend'],
    ]);
  });

  it.each(['=1+1', '@SUM(A1)', '+1', '-1', 'Hi;=1'])('defuses the formula in %s', async (text) => {
    expect((await linesOf([{ ...message, text }]))[5]).toMatch(/,"?(Hi;)?'[=@+-]/);
  });
});
