import * as contracts from '@classroom/contracts';
import { VirtualClassroom } from './client.js';

/** What a backend calls; the rest of the public reference is for people in class and for dashboards, with tokens of their own. */
const CALLS = (Object.values(contracts) as unknown[])
  .filter(contracts.isEndpoint)
  .filter(({ auth }) => auth === 'organization' || auth === 'none');

/** Which method makes which call. */
const METHODS = CALLS.flatMap(({ sdk = '', operationId, method, path, produces }) =>
  [sdk, ...(produces.includes('text/csv') ? [`${sdk}Csv`] : [])].map((name) => ({ name, operationId, route: `${method} ${path}` })),
);

type Anything = (...given: unknown[]) => PromiseLike<unknown> | { page?: () => Promise<unknown>; next?: () => Promise<unknown> };

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

/** Every method of the client by its name, resources within resources too. */
function methodsOf(of: object, prefix = ''): [string, Anything][] {
  return Object.entries(of).flatMap(([name, it]: [string, unknown]) => {
    if (typeof it === 'function') return [[`${prefix}${name}`, it as Anything]];
    const isResource = typeof it === 'object' && it !== null && it.constructor.name !== 'Transport';
    return isResource ? methodsOf(it, `${prefix}${name}.`) : [];
  });
}
const methods = Object.fromEntries(methodsOf(client));

/** Where a route's parameters stand, whatever they are called: both are filled with the same. */
const filled = (route: string, values = ['a', 'b']) => route.replaceAll(/:\w+/g, () => values.shift() ?? '');

describe('the client', () => {
  it('has a method for every call that a backend makes, and no other', () => {
    expect(Object.keys(methods).sort()).toEqual(METHODS.map(({ name }) => name).sort());
  });

  it.each(METHODS)('$name makes the call $operationId', async ({ name, route }) => {
    called = [];
    const made = methods[name]?.('a', 'b', {});
    if (made && 'page' in made) await made.page?.();
    // An answer that is no stream is refused, which is not what is looked at here.
    else if (made && 'next' in made) await made.next?.().catch(() => undefined);
    else await made;
    expect(called).toEqual([filled(route)]);
  });
});
