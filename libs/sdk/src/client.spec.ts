import * as contracts from '@classroom/contracts';
import { VirtualClassroom } from './client.js';

/** The operations for backends. The other public operations are for participants and dashboards, which have their own tokens. */
const CALLS = (Object.values(contracts) as unknown[])
  .filter(contracts.isEndpoint)
  .filter(({ auth }) => auth === 'organization' || auth === 'none');

/** The expected client methods, with the operation that each one calls. */
const METHODS = CALLS.flatMap(({ sdk = '', operationId, method, path, produces }) =>
  [sdk, ...(produces.includes('text/csv') ? [`${sdk}Csv`] : [])].map((name) => ({ name, operationId, route: `${method} ${path}` })),
);

type AnyMethod = (...given: unknown[]) => PromiseLike<unknown> | { page?: () => Promise<unknown>; next?: () => Promise<unknown> };

let called: string[] = [];
const fetch = async (url: string, init: RequestInit) => {
  called.push(`${init.method} ${new URL(url).pathname}`);
  return Response.json({ success: true, data: {} });
};
const client = new VirtualClassroom({
  baseUrl: 'https://classroom.example',
  organizationId: 'org_1',
  fetch: fetch as typeof globalThis.fetch,
});

/** All methods of the client by name, including those of nested resources. */
function methodsOf(of: object, prefix = ''): [string, AnyMethod][] {
  return Object.entries(of).flatMap(([name, it]: [string, unknown]) => {
    if (typeof it === 'function') return [[`${prefix}${name}`, it as AnyMethod]];
    const isResource = typeof it === 'object' && it !== null && it.constructor.name !== 'Transport';
    return isResource ? methodsOf(it, `${prefix}${name}.`) : [];
  });
}
const methods = Object.fromEntries(methodsOf(client));

/** Fills the parameters of a route by position, whatever their names, so that two routes can be compared. */
const filled = (route: string, values = ['a', 'b']) => route.replaceAll(/:\w+/g, () => values.shift() ?? '');

describe('the client', () => {
  it('has a method for every call that a backend makes, and no other', () => {
    expect(Object.keys(methods).sort()).toEqual(METHODS.map(({ name }) => name).sort());
  });

  it.each(METHODS)('$name makes the call $operationId', async ({ name, route }) => {
    called = [];
    const made = methods[name]?.('a', 'b', {});
    if (made && 'page' in made) await made.page?.();
    // The fake answer is not a stream, so the call fails. That failure is not part of this test.
    else if (made && 'next' in made) await made.next?.().catch(() => undefined);
    else await made;
    expect(called).toEqual([filled(route)]);
  });
});
