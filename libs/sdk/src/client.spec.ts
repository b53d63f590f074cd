import * as contracts from '@classroom/contracts';
import { AdminClient } from './admin-client.js';
import { VirtualClassroom } from './client.js';

/** The expected methods of a client, with the operation that each one calls. */
const methodsFor = (...callers: contracts.EndpointAuth[]) =>
  contracts
    .endpointsAmong(Object.values(contracts))
    .filter(({ auth }) => callers.includes(auth))
    .flatMap(({ sdk = '', operationId, method, path, produces }) =>
      [sdk, ...formsOf(produces).map((form) => `${sdk}${form}`)].map((name) => ({ name, operationId, route: `${method} ${path}` })),
    );

/** Methods for other forms of the same answer. */
const formsOf = (produces: readonly string[]) => [
  ...(produces.includes('text/csv') ? ['Csv'] : []),
  ...(produces.length > 1 && produces.includes('application/pdf') ? ['File'] : []),
];

type AnyMethod = (...given: unknown[]) => PromiseLike<unknown> | { page?: () => Promise<unknown>; next?: () => Promise<unknown> };

let called: string[] = [];
let headers = new Headers();
const fetch = async (url: string, init: RequestInit) => {
  headers = new Headers(init.headers);
  called.push(`${init.method} ${new URL(url).pathname}`);
  return Response.json({ success: true, data: {} });
};
const connection = { baseUrl: 'https://classroom.example', fetch: fetch as typeof globalThis.fetch };

/** All methods of the client by name, including those of nested resources. */
function methodsOf(of: object, prefix = ''): [string, AnyMethod][] {
  return Object.entries(of).flatMap(([name, it]: [string, unknown]) => {
    if (typeof it === 'function') return [[`${prefix}${name}`, it as AnyMethod]];
    const isResource = typeof it === 'object' && it !== null && it.constructor.name !== 'Transport';
    return isResource ? methodsOf(it, `${prefix}${name}.`) : [];
  });
}

/** Fills the parameters of a route by position, whatever their names, so that two routes can be compared. */
const filled = (route: string, values = ['a', 'b']) => route.replaceAll(/:\w+/g, () => values.shift() ?? '');

describe.each([
  {
    // The other public operations are for participants and dashboards, which have their own tokens.
    name: 'the client',
    client: new VirtualClassroom({ ...connection, credential: 'org_1' }),
    expected: methodsFor('organization', 'none'),
    credential: ['vf-org-id', 'org_1'],
  },
  {
    name: 'the operators’ client',
    client: new AdminClient({ ...connection, dispatchSecret: 'secret' }),
    expected: methodsFor('dispatch'),
    credential: ['x-dispatch-secret', 'secret'],
  },
])('$name', ({ client, expected, credential: [header = '', value] }) => {
  const methods = Object.fromEntries(methodsOf(client));

  it('has a method for every call that its users make, and no other', () => {
    expect(Object.keys(methods).sort()).toEqual(expected.map(({ name }) => name).sort());
  });

  it.each(expected)('$name makes the call $operationId', async ({ name, route }) => {
    called = [];
    const made = methods[name]?.('a', 'b', {});
    if (made && 'page' in made) await made.page?.();
    // The fake answer is not a stream, so the call fails. That failure is not part of this test.
    else if (made && 'next' in made) await made.next?.().catch(() => undefined);
    else await made;
    expect(called).toEqual([filled(route)]);
    expect(headers.get(header)).toBe(value);
  });
});
