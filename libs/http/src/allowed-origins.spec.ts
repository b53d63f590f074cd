import { hostOf } from './allowed-origins.js';

describe('the host of an origin', () => {
  it.each([
    ['https://school.example', 'school.example'],
    ['https://school.example:8443', 'school.example:8443'],
    ['http://localhost:3000', 'localhost:3000'],
    ['http://127.0.0.1:3000', '127.0.0.1:3000'],
  ])('of %s is %s', (origin, host) => expect(hostOf(origin)).toBe(host));

  it.each([
    'http://school.example',
    'null',
    'https://school.example/',
    'https://a@school.example',
    'ftp://school.example',
    'https://SCHOOL.example',
    '',
  ])('is undefined for %s', (origin) => expect(hostOf(origin)).toBeUndefined());
});
