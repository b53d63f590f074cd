import { Credentials, takeToken, type Page } from './credentials.js';

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

describe('the credentials of a tab', () => {
  it('takes the token out of the address and keeps the rest of it', () => {
    const { page, addresses } = pageAt('#token=a.b.c&lang=de');
    takeToken(page);
    expect(addresses).toEqual(['/console/rooms?status=live#lang=de']);
    expect(new Credentials(page.sessionStorage).headersFor('/v1/dashboard/rooms')).toEqual({ authorization: 'Bearer a.b.c' });
  });

  it('leaves an address without a token, and the kept token, as they are', () => {
    const { page, addresses } = pageAt('#section');
    page.sessionStorage.setItem('console-token', 'kept');
    takeToken(page);
    expect(addresses).toEqual([]);
    expect(new Credentials(page.sessionStorage).token()).toBe('kept');
  });

  it('sends an operator’s key to the operators’ API alone, and a token to the dashboard’s alone', () => {
    const credentials = new Credentials(memory());
    credentials.setOperatorKey('a secret of operators');
    expect(credentials.headersFor('/v1/admin/organizations')).toEqual({ 'x-dispatch-secret': 'a secret of operators' });
    expect(credentials.headersFor('/v1/dashboard/rooms')).toEqual({ authorization: 'Bearer ' });
    expect(credentials.headersFor('/v1/health/status')).toEqual({});
  });

  it('forgets what was refused, and nothing else', () => {
    const { page } = pageAt('#token=a.b.c');
    takeToken(page);
    const credentials = new Credentials(page.sessionStorage);
    credentials.setOperatorKey('key');
    const changes: number[] = [];
    const end = credentials.subscribe(() => changes.push(1));
    credentials.refused('/v1/admin/organizations');
    expect([credentials.operatorKey(), credentials.token()]).toEqual([null, 'a.b.c']);
    end();
    credentials.refused('/v1/dashboard/rooms');
    expect([credentials.token(), changes.length]).toEqual([null, 1]);
  });
});
