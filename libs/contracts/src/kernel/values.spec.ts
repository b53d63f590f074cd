import { z } from 'zod';
import { isPage, maxItemsOf, pageOf } from './values.js';
import { defineRpc } from './rpc.js';

const declare = (output: z.ZodType) => () => defineRpc({ service: 'room', rpc: 'room.list', input: z.object({}), output });
const names = z.array(z.string());
const few = names.min(1).max(3).describe('A few.');

describe('a list in a reply', () => {
  it.each([
    ['names[]', z.object({ names })],
    ['[]', names],
    ['few[][]', z.object({ few: z.array(names).max(3) })],
    ['rooms[].names[]', z.object({ rooms: z.array(z.object({ names })).max(3) })],
    ['room.names[]', z.object({ room: z.object({ names: names.min(1).describe('Many.') }).nullable() })],
    ['names[]', z.object({ few, names: names.default([]).optional() })],
    ['found[]', z.object({ found: z.union([z.string(), names]) })],
    ['byRoom[]', z.object({ byRoom: z.record(z.string(), names) })],
    ['pair[]', z.object({ pair: z.tuple([few, names]) })],
    [
      'names[]',
      z.object({
        names: z
          .string()
          .transform(() => [''])
          .pipe(names),
      }),
    ],
    ['names[]', z.object({ few }).and(z.object({ names }))],
  ])('is refused without a bound: %s', (path, output) => {
    expect(declare(output)).toThrow(`rpc.room.room.list.v1: ${path} has no bound`);
    expect(declare(output)).toThrow('pageOf');
  });

  it('has a bound, or is a page, whose items may have lists without one', () => {
    const page = pageOf(z.object({ names })).describe('The rooms.');
    expect(declare(z.object({ few, page, part: page.max(100).optional() }))).not.toThrow();
    expect([few, page, page.max(100), names].map((it) => [maxItemsOf(it), isPage(it)])).toEqual([
      [3, false],
      [Infinity, true],
      [100, true],
      [Infinity, false],
    ]);
  });
});
