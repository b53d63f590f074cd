import type { LookupAddress } from 'node:dns';
import { loadConfig } from '../config.js';
import { AddressRefused, Outbound, outboundConfig, type Resolve } from './outbound.js';
import { isPublicAddress } from './public-addresses.js';

/** A resolver that gives one answer after the other and counts the questions. */
function answering(...answers: string[][]): { resolve: Resolve; asked: () => number } {
  let asked = 0;
  const resolve: Resolve = (_hostname, _options, done) => {
    const found = answers[Math.min(asked++, answers.length - 1)] ?? [];
    done(
      null,
      found.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return { resolve, asked: () => asked };
}

const outboundOf = (allowed?: string[], resolve?: Resolve) =>
  new Outbound({ DEPLOYMENT: 'production', OUTBOUND_ALLOWED_HOSTS: allowed }, resolve);

/** The addresses that a connection to `hostname` could use. */
const addressesOf = (outbound: Outbound, hostname: string) =>
  new Promise<string[]>((resolve, reject) => {
    outbound.lookup(hostname, { all: true }, (error, found) =>
      error ? reject(error) : resolve((found as LookupAddress[]).map(({ address }) => address)),
    );
  });

/** Whether an address may be opened, checked as written and by the addresses to which its name resolves. */
async function isAllowed(text: string, answer = ['192.168.1.1']): Promise<boolean> {
  try {
    const outbound = outboundOf([], answering(answer).resolve);
    const url = new URL(text);
    outbound.check(url);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    return isPublicAddress(host) || (await addressesOf(outbound, host)).length > 0;
  } catch (error) {
    if (error instanceof AddressRefused || (error as { code?: string }).code === 'ERR_INVALID_URL') return false;
    throw error;
  }
}

test.each([
  // Addresses as written
  'http://127.0.0.1/',
  'http://127.1/',
  'http://127.0.0.1./',
  'http://127.255.255.254/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.0.0.0x1/',
  'http://0177.0.0.1/',
  'http://017700000001/',
  'http://0/',
  'http://0.0.0.0/',
  'http://①②⑦.⓪.⓪.①/',
  'http://10.0.0.1/',
  'http://10.1/',
  'http://012.0.0.1/',
  'http://167772161/',
  'http://172.16.0.1/',
  'http://172.31.255.255/',
  'http://192.168.0.1/',
  'http://192.168.257/',
  'http://3232235777/',
  'http://100.64.0.1/',
  'http://100.100.100.200/',
  'http://169.254.169.254/latest/meta-data/',
  'http://2852039166/',
  'http://0xA9FEA9FE/',
  'http://0251.0376.0251.0376/',
  'http://169.254.43518/',
  'http://168.63.129.16/',
  'http://192.0.0.192/',
  'http://192.0.2.1/',
  'http://192.88.99.1/',
  'http://198.18.0.1/',
  'http://198.51.100.1/',
  'http://203.0.113.1/',
  'http://224.0.0.1/',
  'http://239.255.255.250/',
  'http://240.0.0.1/',
  'http://255.255.255.255/',
  'http://[::]/',
  'http://[::1]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[::127.0.0.1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::ffff:10.0.0.1]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://[64:ff9b::10.0.0.1]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://[64:ff9b:1::1]/',
  'http://[2002:7f00:1::]/',
  'http://[2002:a9fe:a9fe::1]/',
  'http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
  'http://[2001:db8::1]/',
  'http://[3fff::1]/',
  'http://[100::1]/',
  'http://[fc00::1]/',
  'http://[fd00:ec2::254]/',
  'http://[fe80::1]/',
  'http://[fec0::1]/',
  'http://[ff02::1]/',
  // With another scheme, or with credentials
  'ftp://93.184.215.14/',
  'file:///etc/passwd',
  'http://93.184.215.14@10.0.0.1/',
  'http://user:password@93.184.215.14/',
  'http://93.184.215.14%2f@127.0.0.1/',
])('%s is not opened', async (text) => {
  expect(await isAllowed(text)).toBe(false);
});

test.each([
  ['localhost', '127.0.0.1'],
  ['localhost.', '127.0.0.1'],
  ['LOCALHOST', '::1'],
  ['127.0.0.1.nip.io', '127.0.0.1'],
  ['metadata.google.internal', '169.254.169.254'],
  ['kubernetes.default.svc', '10.96.0.1'],
  ['six.school.example', '::ffff:10.0.0.1'],
  ['zone.school.example', 'fe80::1%eth0'],
])('http://%s is not opened if it resolves to %s', async (host, address) => {
  expect(await isAllowed(`http://${host}/`, [address])).toBe(false);
});

test.each([
  'http://93.184.215.14/logo.png',
  'https://1.1.1.1./',
  'http://172.32.0.1/',
  'http://100.128.0.1/',
  'http://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/',
  'https://school.example:8443/logo.png',
])('%s is opened', async (text) => {
  expect(await isAllowed(text, ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'])).toBe(true);
});

test('a name is resolved once for a connection, and resolved and checked again for the next one', async () => {
  const { resolve, asked } = answering(['93.184.215.14'], ['10.0.0.1']);
  const outbound = outboundOf([], resolve);
  expect(await addressesOf(outbound, 'rebinding.example')).toEqual(['93.184.215.14']);
  expect(asked()).toBe(1);
  await expect(addressesOf(outbound, 'rebinding.example')).rejects.toThrow(AddressRefused);
});

test('only the public addresses of a name are connected to if it has private ones too', async () => {
  const outbound = outboundOf([], answering(['10.0.0.1', '93.184.215.14', '::1']).resolve);
  expect(await addressesOf(outbound, 'mixed.example')).toEqual(['93.184.215.14']);
  const one = await new Promise((resolve) => outbound.lookup('mixed.example', {}, (_error, address) => resolve(address)));
  expect(one).toBe('93.184.215.14');
});

describe('an address that the operator allows', () => {
  it('is opened even if it is private, by name, address or network, and no other is', async () => {
    const { resolve } = answering(['10.20.0.5']);
    const outbound = outboundOf(['Intranet.school.example', '10.20.0.0/16', '192.168.7.7', 'fd00:1::/32'], resolve);
    expect(await addressesOf(outbound, 'other.example')).toEqual(['10.20.0.5']);
    for (const host of ['10.20.255.1', '192.168.7.7', '[fd00:1::9]'])
      expect(() => outbound.check(new URL(`http://${host}/`))).not.toThrow();
    for (const host of ['10.21.0.1', '192.168.7.8', '[fd00:2::9]', '127.0.0.1'])
      expect(() => outbound.check(new URL(`http://${host}/`))).toThrow(AddressRefused);
    const byName = outboundOf(['intranet.school.example'], resolve);
    expect(await addressesOf(byName, 'intranet.school.example.')).toEqual(['10.20.0.5']);
    await expect(addressesOf(byName, 'x.intranet.school.example')).rejects.toThrow(AddressRefused);
  });

  it('is none by default, and loopback for a local stack', () => {
    const loopback = new URL('http://127.0.0.1/');
    expect(() => outboundOf(undefined).check(loopback)).toThrow(AddressRefused);
    const local = new Outbound({ DEPLOYMENT: 'local', OUTBOUND_ALLOWED_HOSTS: undefined });
    expect(() => local.check(loopback)).not.toThrow();
    expect(() => local.check(new URL('http://10.0.0.1/'))).toThrow(AddressRefused);
  });

  it.each(['10.0.0.0/33', '10.0.0.0/8/8', 'http://intranet', 'a b', '::1/129'])('cannot be %s', (text) => {
    expect(() => loadConfig(outboundConfig, { OUTBOUND_ALLOWED_HOSTS: `fine.example,${text}` })).toThrow(
      /must be hosts, addresses or networks/,
    );
  });
});
