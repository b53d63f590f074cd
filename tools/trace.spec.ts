import { parseLines, renderTree, renderList, findTraces } from './trace.ts';

const T = 'a'.repeat(32);
const span = (spanId: string, parentSpanId: string | undefined, startMs: number, endMs: number, more: object = {}) => ({
  traceId: T,
  spanId,
  parentSpanId,
  service: 'room',
  name: spanId,
  kind: 'INTERNAL',
  startUnixNano: `${1_700_000_000_000 + startMs}000000`,
  endUnixNano: `${1_700_000_000_000 + endMs}000000`,
  attributes: {},
  status: { code: 'UNSET' },
  events: [],
  links: [],
  ...more,
});

describe('trace', () => {
  test('children are below their parent, in order of start, with offset and duration', () => {
    const lines = renderTree([
      span('late', 'root', 8, 9),
      span('root', undefined, 0, 10),
      span('early', 'root', 1, 5),
      span('deep', 'early', 2, 3),
    ]);
    expect(lines).toEqual([
      'room  root  [INTERNAL]  10.0 ms @0.0',
      '├ room  early  [INTERNAL]  4.0 ms @1.0',
      '│ └ room  deep  [INTERNAL]  1.0 ms @2.0',
      '└ room  late  [INTERNAL]  1.0 ms @8.0',
    ]);
  });

  test('a span without its parent is shown and marked, an error and its message too', () => {
    const [line] = renderTree([span('orphan', 'never-written', 0, 1, { status: { code: 'ERROR', message: 'no such room' } })]);
    expect(line).toBe('… room  orphan  [INTERNAL]  1.0 ms @0.0  ERROR no such room');
  });

  test('a span written twice is shown once', () => {
    expect(renderTree([span('one', undefined, 0, 1), span('one', undefined, 0, 1)])).toHaveLength(1);
  });

  test('truncated lines are left out', () => {
    const text = `${JSON.stringify(span('one', undefined, 0, 1))}\n{"traceId":"b`;
    expect(parseLines(text).map((it) => it.spanId)).toEqual(['one']);
  });

  test('a trace is found by its id, the beginning of it, or a request id', () => {
    const other = span('other', undefined, 0, 1, { traceId: 'b'.repeat(32), attributes: { 'request.id': 'req-1' } });
    const spans = [span('one', undefined, 0, 1), other];
    expect(findTraces(spans, T)).toEqual([T]);
    expect(findTraces(spans, 'AAAA')).toEqual([T]);
    expect(findTraces(spans, 'req-1')).toEqual(['b'.repeat(32)]);
    expect(findTraces(spans, 'req-2')).toEqual([]);
  });

  test('the list shows the newest first and no more than asked', () => {
    const spans = [1, 2, 3].map((n) => span(`s${n}`, undefined, n * 1000, n * 1000 + 5, { traceId: String(n).repeat(32) }));
    expect(renderList(spans, 2).map((line) => line[0])).toEqual(['3', '2']);
  });
});
