import { normalizeAddress } from './classroom.controller.js';

describe('a client’s address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:CB00:7107', '203.0.113.7'],
    ['0:0:0:0:0:ffff:0a00:0001', '10.0.0.1'],
    ['::ffff:0.1.2.3', '0.1.2.3'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::1', '::1'],
  ])('for %s is %s', (ip, address) => {
    expect(normalizeAddress(ip)).toBe(address);
  });

  it.each(['', 'unknown', '203.0.113.7:4711', '203.0.113.256', 'example.com', '::g', '=cmd()'])('is undefined for %j', (ip) => {
    expect(normalizeAddress(ip)).toBeUndefined();
  });
});
