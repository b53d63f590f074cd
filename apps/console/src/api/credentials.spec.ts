import { Credentials, takeCode, takeToken, type Page } from './credentials.js';

function memory(): Storage {
  const kept = new Map<string, string>();
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  } as Storage;
}

function pageAt(hash: string) {
  const addresses: string[] = [];
  const page = {
    location: { hash, pathname: '/console/rooms', search: '?status=live' },
    history: { state: null, replaceState: (_: unknown, __: string, address: string) => addresses.push(address) },
    sessionStorage: memory(),
  };
  return { page: page as unknown as Page, addresses };
}

const NEVER = () => {
  throw new Error('asked');
};
const tokenOf = (tag: string | undefined, seconds = 60) =>
  `e30.${btoa(JSON.stringify({ tag, exp: Date.now() / 1000 + seconds, sub: '~~~???' }))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')}.sig`;

describe('the credentials of a tab', () => {
  it.each([
    ['another one of the same organization', tokenOf('a'), tokenOf('a', 90)],
    ['one that expired', tokenOf('a', -1), tokenOf('b')],
    ['a damaged one', 'no token', tokenOf('b')],
  ])('a link replaces %s without a question', (_, kept, token) => {
    const { page } = pageAt(`#token=${token}`);
    page.sessionStorage.setItem('console-token', kept);
    takeToken(page, NEVER);
    expect(new Credentials(page.sessionStorage).token()).toBe(token);
  });

  it('takes the token of a code, once, and leaves the kept one if the code does not work', async () => {
    const exchanged: string[] = [];
    const exchange = async (code: string) => {
      exchanged.push(code);
      return code === 'good' ? tokenOf('a') : undefined;
    };
    const { page, addresses } = pageAt('#code=good&lang=de');
    await takeCode(page, exchange, NEVER);
    expect([exchanged, addresses]).toEqual([['good'], ['/console/rooms?status=live#lang=de']]);
    const kept = new Credentials(page.sessionStorage).token();
    expect(kept).not.toBeNull();
    const again = { ...pageAt('#code=used').page, sessionStorage: page.sessionStorage };
    await takeCode(again, exchange, NEVER);
    await takeCode(pageAt('').page, exchange, NEVER);
    expect([exchanged, new Credentials(page.sessionStorage).token()]).toEqual([['good', 'used'], kept]);
    const credentials = new Credentials(page.sessionStorage);
    credentials.refused('/v1/dashboard/session');
    expect([credentials.token(), credentials.headersFor('/v1/dashboard/session')]).toEqual([kept, {}]);
  });

  it.each([
    ['another organization', tokenOf('a'), tokenOf('b')],
    ['an unnamed organization', tokenOf(undefined), tokenOf(undefined, 90)],
  ])('a link of %s replaces the kept session only if the user says so, and leaves the address in any case', (_, kept, token) => {
    for (const answer of [false, true]) {
      const { page, addresses } = pageAt(`#token=${token}`);
      page.sessionStorage.setItem('console-token', kept);
      takeToken(page, () => answer);
      expect([new Credentials(page.sessionStorage).token(), addresses]).toEqual([answer ? token : kept, ['/console/rooms?status=live']]);
    }
  });

  it('takes the token out of the address and keeps the rest of it', () => {
    const { page, addresses } = pageAt('#token=a.b.c&lang=de');
    takeToken(page, NEVER);
    expect(addresses).toEqual(['/console/rooms?status=live#lang=de']);
    expect(new Credentials(page.sessionStorage).headersFor('/v1/dashboard/profile')).toEqual({ authorization: 'Bearer a.b.c' });
    expect(new Credentials(page.sessionStorage).sessionId()).toBeUndefined();
    page.sessionStorage.setItem('console-token', `e30.${btoa(JSON.stringify({ jti: 'a-session' }))}.sig`);
    expect(new Credentials(page.sessionStorage).sessionId()).toBe('a-session');
  });

  it('leaves an address without a token, and the kept token, as they are', () => {
    const { page, addresses } = pageAt('#section');
    page.sessionStorage.setItem('console-token', 'kept');
    takeToken(page, NEVER);
    expect(addresses).toEqual([]);
    expect(new Credentials(page.sessionStorage).token()).toBe('kept');
  });

  it('sends an operator’s key to the operators’ API alone, and a token to the rest of the API', () => {
    const credentials = new Credentials(memory());
    credentials.setOperatorKey('a secret of operators');
    expect(credentials.headersFor('/v1/admin/organizations')).toEqual({ 'x-dispatch-secret': 'a secret of operators' });
    expect(credentials.headersFor('/v1/dashboard/profile')).toEqual({ authorization: 'Bearer ' });
    expect(credentials.headersFor('/console/logo.svg')).toEqual({});
  });

  it('forgets what was refused, and nothing else', () => {
    const { page } = pageAt('#token=a.b.c');
    takeToken(page, NEVER);
    const credentials = new Credentials(page.sessionStorage);
    credentials.setOperatorKey('key');
    const changes: number[] = [];
    const end = credentials.subscribe(() => changes.push(1));
    credentials.refused('/v1/admin/organizations');
    expect([credentials.operatorKey(), credentials.token()]).toEqual([null, 'a.b.c']);
    end();
    credentials.refused('/v1/dashboard/profile');
    expect([credentials.token(), changes.length]).toEqual([null, 1]);
  });
});
