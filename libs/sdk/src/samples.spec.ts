import { openApi } from '@classroom/api-reference';
import * as contracts from '@classroom/contracts';
import { AdminClient } from './admin-client.js';
import { VirtualClassroom } from './client.js';

interface Documented {
  operationId: string;
  'x-codeSamples'?: { label: string; source: string }[];
}

const endpoints = (Object.values(contracts) as unknown[]).filter(contracts.isEndpoint);
const SAMPLES = (['public', 'internal'] as const)
  .flatMap((audience) => Object.values(openApi(endpoints, { version: '1.0.0', audience }).paths))
  .flatMap((item) => Object.values(item) as Documented[])
  .flatMap(({ operationId, 'x-codeSamples': samples = [] }) => {
    const source = samples.find(({ label }) => label === 'TypeScript')?.source;
    return source === undefined ? [] : [{ operationId, source }];
  });

const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor as new (
  ...args: string[]
) => (classroom: VirtualClassroom, admin: AdminClient, console: object) => Promise<void>;

let sent: { method: string; path: string; query: object; body: unknown }[] = [];
const fetch = async (address: string, { method = '', body }: RequestInit) => {
  const { pathname, searchParams } = new URL(address);
  sent.push({ method, path: pathname, query: Object.fromEntries(searchParams), body: body && (JSON.parse(body as string) as unknown) });
  return Response.json({ success: true, data: {} });
};
const connection = { baseUrl: 'https://classroom.example', fetch: fetch as typeof globalThis.fetch };
const classroom = new VirtualClassroom({ ...connection, credential: 'vfo_secret' });
const admin = new AdminClient({ ...connection, dispatchSecret: 'secret' });

describe('the SDK’s samples in the API reference', () => {
  it('exist for every method of the client that has an example', () => {
    const expected = endpoints.filter(({ sdk, example }) => sdk && example).map(({ operationId }) => operationId);
    expect(SAMPLES.map(({ operationId }) => operationId).sort()).toEqual(expected.sort());
  });

  it.each(SAMPLES)('make the call of the example: $operationId', async ({ operationId, source }) => {
    sent = [];
    // Lists and streams find nothing in this answer and throw after the request.
    await new AsyncFunction('classroom', 'admin', 'console', source)(classroom, admin, { log: () => undefined }).catch((error: unknown) => {
      if (sent.length === 0) throw error;
    });
    const endpoint = endpoints.find((it) => it.operationId === operationId) as contracts.EndpointContract;
    const { method, path, example } = endpoint;
    // A body that may be left out is sent as an empty one.
    const { params = {}, query = {}, body = contracts.takesBody(endpoint) ? {} : undefined } = example ?? {};
    expect(sent).toEqual([
      {
        method,
        path: path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? '')),
        query: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
        body,
      },
    ]);
  });
});
