/// <reference types="jest" />
import { isVerified } from './verified-origin.js';

describe('a verified origin', () => {
  const domains = ['school.example', '*.campus.example', 'localhost:3000', '127.0.0.1:8080', 'lms.example:8443'];

  it.each([
    'https://school.example',
    'https://www.campus.example',
    'https://a.b.campus.example',
    'http://localhost:3000',
    'https://localhost:3000',
    'http://127.0.0.1:8080',
    'https://lms.example:8443',
  ])('is %s', (origin) => {
    expect(isVerified(origin, domains)).toBe(true);
  });

  it.each([
    ['another host that ends alike', 'https://evilschool.example'],
    ['another host that begins alike', 'https://school.example.evil.example'],
    ['a subdomain of a plain domain', 'https://www.school.example'],
    ['the bare domain of a wildcard', 'https://campus.example'],
    ['a host that ends like a wildcard without its dot', 'https://evilcampus.example'],
    ['a wildcard’s empty label', 'https://.campus.example'],
    ['plain http', 'http://school.example'],
    ['plain http with a port', 'http://lms.example:8443'],
    ['a port that is not listed', 'https://school.example:8443'],
    ['loopback without its port', 'http://localhost'],
    ['loopback on another port', 'http://localhost:3001'],
    ['a listed port left out', 'https://lms.example'],
    ['a trailing dot', 'https://school.example.'],
    ['an opaque origin', 'null'],
    ['nothing', ''],
    ['no URL', 'school.example'],
    ['a user that looks like the domain', 'https://school.example@evil.example'],
    ['a user before the domain', 'https://evil@school.example'],
    ['a path', 'https://school.example/class'],
    ['a slash', 'https://school.example/'],
    ['upper case, which no browser writes', 'https://SCHOOL.example'],
    ['another scheme', 'ftp://school.example'],
    ['an extension', 'chrome-extension://school.example'],
    ['a file', 'file://school.example'],
    ['a blob', 'blob:https://school.example/1'],
    ['a line break', 'https://school.example\n.evil.example'],
    ['a full-width dot, that a parser turns into one', 'https://www。campus.example'],
  ])('is not %s', (_, origin) => {
    expect(isVerified(origin, domains)).toBe(false);
  });

  it('does not exist if no domain is verified', () => {
    expect(isVerified('https://school.example', [])).toBe(false);
    expect(isVerified('null', ['null', ''])).toBe(false);
  });

  it('may be listed in upper case or with the default port', () => {
    expect(isVerified('https://school.example', ['School.Example'])).toBe(true);
    expect(isVerified('https://school.example', ['school.example:443'])).toBe(true);
    expect(isVerified('http://localhost', ['localhost'])).toBe(true);
    expect(isVerified('http://school.example:443', ['school.example:443'])).toBe(false);
  });

  it('never matches a single *', () => {
    expect(isVerified('https://school.example', ['*', '*.', '*.example:8443'])).toBe(false);
  });
});
