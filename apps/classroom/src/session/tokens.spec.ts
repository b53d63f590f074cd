/// <reference types="jest" />
import { takeJoinToken } from './tokens.js';

/** A window at an address. `storage` survives a reload, like the session storage of a tab. */
function windowAt(address: string, { storage = new Map<string, string>(), isFramed = false, isDenied = false } = {}) {
  const url = new URL(address, 'https://classroom.example');
  const page = {
    location: url,
    history: { state: null, replaceState: (_: unknown, __: string, next: string) => (url.href = new URL(next, url).href) },
    get sessionStorage() {
      if (isDenied) throw new Error('denied');
      return { getItem: (key: string) => storage.get(key) ?? null, setItem: (key: string, value: string) => storage.set(key, value) };
    },
  };
  const parent = isFramed ? {} : page;
  return { storage, address: () => url.href.slice(url.origin.length), take: () => takeJoinToken(Object.assign(page, { parent }) as never) };
}

describe('the link to a class', () => {
  it('gives its token to the page in its own window, and a reload keeps it', () => {
    const page = windowAt('/r/RM_1#token=abc&lang=de');
    expect(page.take()).toBe('abc');
    expect(page.address()).toBe('/r/RM_1#lang=de');
    expect(windowAt(page.address(), page).take()).toBe('abc');
    const plain = windowAt('/r/RM_1?x=1#token=abc');
    plain.take();
    expect(plain.address()).toBe('/r/RM_1?x=1');
  });

  it('opens its own class, and never with an older token', () => {
    const page = windowAt('/r/RM_1#token=abc');
    page.take();
    expect(windowAt('/r/RM_2', page).take()).toBe('');
    expect(windowAt('/r/RM_1#token=new', page).take()).toBe('new');
    expect(windowAt('/r/RM_1', page).take()).toBe('new');
  });

  it.each([{ isFramed: true }, { isDenied: true }])('keeps its token if a reload would have no other: %o', (circumstance) => {
    const page = windowAt('/r/RM_1#token=abc', circumstance);
    expect(page.take()).toBe('abc');
    expect(page.address()).toBe('/r/RM_1#token=abc');
    expect(page.storage.size).toBe(0);
  });

  it('has no token if none was given', () => {
    expect(windowAt('/r/RM_1').take()).toBe('');
    expect(windowAt('/r/RM_1', { isDenied: true }).take()).toBe('');
  });
});
