import { accepted } from './compression.js';

describe('the encoding of an answer', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['GZIP ; q=1', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['identity', undefined],
    ['gzip;q=0', undefined],
    ['gzip;q=none', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('for accept-encoding %s is %s', (header, encoding) => expect(accepted(header)).toBe(encoding));
});
