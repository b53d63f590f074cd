import { Webhook } from 'standardwebhooks';
import type { OrganizationConfig } from '../config.js';
import { parseRetryAfter, signatureHeaders, SigningSecrets } from './post-webhook.js';

const NOW = Date.parse('2030-01-01T00:00:00Z');

it.each([
  ['120', 120_000],
  [' 5 ', 5_000],
  ['Tue, 01 Jan 2030 00:01:00 GMT', 60_000],
  ['999999999', 86_400_000],
  ['0', null],
  ['Mon, 31 Dec 2029 23:59:00 GMT', null],
  ['soon', null],
  ['-5', null],
  [undefined, null],
])('Retry-After: %s', (value, expected) => {
  expect(parseRetryAfter(value, NOW)).toBe(expected);
});

const secrets = new SigningSecrets({ WEBHOOK_KEY_SECRET: ['a secret of at least thirty-two characters'] } as unknown as OrganizationConfig);
const body = '{"type":"ping","data":"é"}';
const sign = (...keys: string[]) => signatureHeaders(keys, { id: 'evt_1', at: new Date(), body });

it('makes signatures that the reference library verifies', () => {
  const { secret } = secrets.create('we_1');
  const headers = sign(secret);
  expect(new Webhook(secret).verify(body, headers)).toEqual({ type: 'ping', data: 'é' });
  expect(() => new Webhook(secret).verify(body.replace('é', 'e'), headers)).toThrow();
  expect(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': 'evt_2' })).toThrow();
  expect(() => new Webhook(secrets.create('we_1').secret).verify(body, headers)).toThrow();
});

it('signs with both secrets during a rotation', () => {
  const [present, previous] = [secrets.create('we_1').secret, secrets.create('we_1').secret];
  for (const secret of [present, previous]) expect(() => new Webhook(secret).verify(body, sign(present, previous))).not.toThrow();
});

it('seals a secret for its endpoint only', () => {
  const { secret, sealed } = secrets.create('we_1');
  expect(sealed).not.toContain(secret.slice('whsec_'.length, 20));
  expect(secrets.open('we_1', sealed)).toBe(secret);
  expect(() => secrets.open('we_2', sealed)).toThrow();
});
