import type { OpenApi } from './open-api.ts';
import { sdkResources } from './sdk-resources.ts';

const json = (data: object) => ({ content: { 'application/json': { schema: { properties: { data: { properties: data } } } } } });
const list = { type: 'array' };

/** @param more additional parts of the reference */
function written(sdk: string, route: string, more: object = {}): string {
  const [method = '', path = ''] = route.split(' ');
  const operation = {
    operationId: 'call',
    summary: 'It',
    description: 'It.',
    security: [],
    parameters: [],
    responses: { 200: json({}) },
    ...more,
  };
  return sdkResources([{ operationId: 'call', sdk }], { paths: { [path]: { [method.toLowerCase()]: operation } } } as unknown as OpenApi);
}

test.each([
  [
    'the parts of the path, then what need not be given',
    'rooms.people.mute',
    'POST /a/{b}/{c}',
    { requestBody: { required: false, ...json({}) } },
    "  mute = (b: string, c: string, body: Body<'call'> = {}, options?: RequestOptions) =>\n    this.api.call('call', { params: { b, c }, body }, options);",
  ],
  [
    'a list of pages',
    'rooms.list',
    'GET /a',
    { parameters: [{ in: 'query', name: 'cursor' }], responses: { 200: json({ people: list, nextCursor: {} }) } },
    "new Pages((cursor = query.cursor) => this.api.call('call', { query: { ...query, cursor } }, options), ({ people }) => people, ({ nextCursor }) => nextCursor);",
  ],
  [
    'a file',
    'rooms.times',
    'GET /a',
    { parameters: [{ in: 'query', name: 'export' }], responses: { 200: { content: { ...json({}).content, 'text/csv': {} } } } },
    "  timesCsv = (options?: RequestOptions) =>\n    this.api.csv('call', { query: { export: 'csv' } }, options);",
  ],
  [
    'a stream',
    'rooms.hear',
    'GET /a',
    { responses: { 200: { content: { 'text/event-stream': {} } } } },
    "  hear = (options?: RequestOptions) =>\n    fromServerSentEvents(this.api.stream('call', {}, options));",
  ],
])('%s', (_, sdk, route, more, method) => expect(written(sdk, route, more)).toContain(method));

test('a resource within a resource is a field of it', () => {
  expect(written('rooms.people.mute', 'GET /a')).toMatch(
    /readonly rooms = new Rooms[^]+readonly people = new RoomsPeople[^]+class RoomsPeople/,
  );
});

test('every operation for backends has a name, and no other has one', () => {
  const { paths } = { paths: { '/a': { get: { operationId: 'call', security: [] } } } } as unknown as OpenApi;
  expect(() => sdkResources([{ operationId: 'call' }], { paths })).toThrow('no `sdk` names the method of call');
  expect(() => sdkResources([{ operationId: 'call', sdk: 'a.b' }], { paths: {} })).toThrow('what no backend calls');
});
