import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';
import { MAX_DASHBOARD_TOKEN_SECONDS } from '@classroom/contracts';
import { EncryptJWT } from 'jose';
import { DashboardTokens } from './dashboard-tokens.js';

const [OLD, NEW, CLASSROOM] = ['o', 'n', 'c'].map((letter) => letter.repeat(64)) as [string, string, string];
const tokensOf = (...secrets: [string, ...string[]]) => new DashboardTokens({ DASHBOARD_TOKEN_SECRET: secrets });
const tokens = tokensOf(NEW);
const user = { organizationId: 'org_lakeside', version: 3, subject: 'head@lakeside.example', role: 'MEMBER' as const };
const now = () => Math.floor(Date.now() / 1000);

const part = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const read = (token: string, at: number) =>
  JSON.parse(Buffer.from(token.split('.')[at] ?? '', 'base64url').toString()) as Record<string, unknown>;
const signed = (header: unknown, payload: unknown, secret: string, hash = 'sha256') => {
  const text = `${part(header)}.${part(payload)}`;
  return `${text}.${createHmac(hash, secret).update(text).digest('base64url')}`;
};
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString();

type Parts = { good: string; header: Record<string, unknown>; payload: Record<string, unknown> };
type Forgery = (parts: Parts) => string | Promise<string>;
const withHeader =
  (change: object, secret = NEW): Forgery =>
  ({ header, payload }) =>
    signed({ ...header, ...change }, payload, secret);
/** With such claims, a token is invalid even if the right secret signed it. */
const withClaims =
  (change: object): Forgery =>
  ({ header, payload }) =>
    signed(header, { ...payload, ...change }, NEW);
const withText =
  (change: (text: string) => string): Forgery =>
  ({ header, payload }) =>
    signed(header, change(JSON.stringify(payload)), NEW);
const changed =
  (change: (parts: [string, string, string]) => string[]): Forgery =>
  ({ good }) =>
    change(good.split('.') as [string, string, string]).join('.');

const BATTERY: Record<string, Forgery> = {
  'a version that is no whole number': withClaims({ ver: 1.5 }),
  'a version as text': withClaims({ ver: '3' }),
  'a version below zero': withClaims({ ver: -1 }),
  'no algorithm, no signature': changed(([, payload]) => [part({ alg: 'none', typ: 'dashboard+jwt' }), payload, '']),
  'no algorithm, the signature left on': changed(([, payload, signature]) => [
    part({ alg: 'none', typ: 'dashboard+jwt' }),
    payload,
    signature,
  ]),
  'no algorithm, in other letters': changed(([, payload]) => [part({ alg: 'nOnE', typ: 'dashboard+jwt' }), payload, 'AA']),
  'another HMAC': ({ header, payload }) => signed({ ...header, alg: 'HS512' }, payload, NEW, 'sha512'),
  'another HMAC under the name of ours': ({ header, payload }) => signed(header, payload, NEW, 'sha384'),
  'an HMAC by a public key': ({ header, payload }) => signed(header, payload, pem),
  'an RSA signature': ({ header, payload }) => {
    const text = `${part({ ...header, alg: 'RS256' })}.${part(payload)}`;
    return `${text}.${createSign('sha256').update(text).sign(rsa.privateKey, 'base64url')}`;
  },
  'an EC signature': ({ header, payload }) => {
    const text = `${part({ ...header, alg: 'ES256' })}.${part(payload)}`;
    return `${text}.${createSign('sha256').update(text).sign({ key: ec.privateKey, dsaEncoding: 'ieee-p1363' }, 'base64url')}`;
  },
  'no alg at all': withHeader({ alg: undefined }),
  'another secret': withHeader({}, OLD),
  'an empty secret': withHeader({}, ''),
  'a part of the secret': withHeader({}, NEW.slice(1)),
  'another role under the old signature': ({ good, payload }) =>
    changed(([header, , signature]) => [header, part({ ...payload, role: 'OWNER' }), signature])({ good, payload, header: {} }),
  'half a signature': changed(([header, payload, signature]) => [header, payload, signature.slice(0, 20)]),
  'spare bits of the last character': changed(([header, payload, signature]) => [
    header,
    payload,
    `${signature.slice(0, -1)}${withSameBits(signature.at(-1) ?? '')}`,
  ]),
  padding: changed(([header, payload, signature]) => [header, payload, `${signature}=`]),
  'the alphabet of plain base64': changed(([header, payload]) => [header, payload, '+/'.repeat(21)]),
  'a fourth part': changed((parts) => [...parts, 'AA']),
  'two parts': changed(([header, payload]) => [header, payload]),
  nothing: () => '..',
  words: () => 'not.a.token',
  'a payload that is no object': ({ header }) => signed(header, '["dashboard"]', NEW),
  'a payload that is no JSON': ({ header }) => signed(header, 'dashboard', NEW),
  'a header that is no JSON': ({ payload }) => signed('HS256', payload, NEW),
  'an encrypted token': async ({ payload }) =>
    new EncryptJWT(payload as Record<string, string>)
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', typ: 'dashboard+jwt' })
      .encrypt(new TextEncoder().encode(NEW.slice(0, 32))),
  'another issuer': withClaims({ iss: 'https://accounts.example' }),
  'no issuer': withClaims({ iss: undefined }),
  'another audience': withClaims({ aud: 'classroom' }),
  'a list of audiences with ours in it': withClaims({ aud: ['classroom', 'dashboard'] }),
  'a list of our audience alone': withClaims({ aud: ['dashboard'] }),
  'no audience': withClaims({ aud: undefined }),
  'an expired end': withClaims({ iat: now() - 600, exp: now() - 1 }),
  'no end': withClaims({ exp: undefined }),
  'an end in words': withClaims({ exp: '2099-01-01' }),
  'an end in a hundred years': withClaims({ exp: now() + 3_155_760_000 }),
  'a beginning that is still to come': withClaims({ nbf: now() + 600 }),
  'an issue that is still to come': withClaims({ iat: now() + 600, exp: now() + 900 }),
  'no issue': withClaims({ iat: undefined }),
  'no subject': withClaims({ sub: undefined }),
  'an unknown role': withClaims({ role: 'ADMIN' }),
  'a list of roles': withClaims({ role: ['OWNER'] }),
  'no organization': withClaims({ org: undefined }),
  'an organization by its id': withClaims({ org: 'org_lakeside' }),
  'an organization that was sealed for another user': withClaims({ sub: 'other@example.org' }),
  'the type of any token': withHeader({ typ: 'JWT' }),
  'no type': withHeader({ typ: undefined }),
  'a key’s name that is a path': withHeader({ kid: '../../../../dev/null' }, ''),
  'a key’s name that is a statement': withHeader({ kid: `' UNION SELECT 'secret` }, 'secret'),
  'a key of its own': withHeader({ jwk: { kty: 'oct', k: part(OLD) } }, OLD),
  'a key’s address': withHeader({ jku: 'https://attacker.example/keys.json', x5u: 'https://attacker.example/key.pem' }, OLD),
  'an extension that is to be understood': withHeader({ crit: ['exp2'], exp2: 1 }),
  'a payload that is not encoded': withHeader({ b64: false, crit: ['b64'] }),
  'an audience said twice': withText((text) => text.replace('"aud":"dashboard"', '"aud":"dashboard","aud":"classroom"')),
  'an algorithm said twice': changed(([, payload, signature]) => [
    part('{"alg":"HS256","typ":"dashboard+jwt","alg":"none"}'),
    payload,
    signature,
  ]),
  'a classroom token': () =>
    signed(
      { alg: 'HS256' },
      { iss: 'virtual-classroom', aud: 'classroom', sub: 'ada', sid: 'RM_1', ses: 1, ms: Date.now(), exp: now() + 60 },
      CLASSROOM,
    ),
  'a LiveKit token': () =>
    signed(
      { alg: 'HS256', typ: 'JWT' },
      { iss: 'APIkey', sub: 'ada', video: { room: 'RM_1', roomJoin: true }, exp: now() + 60 },
      CLASSROOM,
    ),
  'a large payload': ({ header, payload }) => signed(header, { ...payload, note: 'x'.repeat(1_000_000) }, OLD),
};

/** Another character that decodes to the same four bits. */
function withSameBits(character: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return alphabet[alphabet.indexOf(character) ^ 1] ?? '';
}

const UNAUTHORIZED = expect.objectContaining({ code: 'UNAUTHORIZED', message: 'Unauthorized' }) as Error;

function isVerified(token: string): boolean {
  try {
    return tokens.verify(token).subject === user.subject;
  } catch {
    return false;
  }
}

describe('a dashboard token', () => {
  let parts: Parts;

  beforeAll(() => {
    const { token } = tokens.sign(user, 600, new Date());
    parts = { good: token, header: read(token, 0), payload: read(token, 1) };
  });

  it('identifies its user and organization, without a readable organization id', () => {
    expect(tokens.verify(parts.good)).toEqual(user);
    expect(JSON.stringify(parts.payload)).not.toContain(user.organizationId);
    // The function that makes the forgeries makes valid tokens as well.
    expect(tokens.verify(signed(parts.header, parts.payload, NEW))).toEqual(user);
    expect(tokens.verify(signed(parts.header, { ...parts.payload, role: 'OWNER' }, NEW))).toMatchObject({ role: 'OWNER' });
  });

  it('has version 0 if it was created before tokens had versions', () => {
    const { ver, ...earlier } = parts.payload;
    expect(ver).toBe(user.version);
    expect(tokens.verify(signed(parts.header, earlier, NEW))).toEqual({ ...user, version: 0 });
  });

  it('expires at its expiresAt', () => {
    const { token, expiresAt } = tokens.sign(user, 60, new Date(Date.now() - 61_000));
    expect(expiresAt.getTime()).toBeLessThan(Date.now());
    expect(() => tokens.verify(token)).toThrow(UNAUTHORIZED);
  });

  describe('whose signer’s clock is ahead', () => {
    beforeEach(() => jest.useFakeTimers({ now: 1_768_467_600_000 }));
    afterEach(() => jest.useRealTimers());

    it.each([
      [0, true],
      [60, true],
      [61, false],
    ])('by %i s is accepted: %s', (ahead, isAccepted) => {
      const { token } = tokens.sign(user, 60, new Date(Date.now() + ahead * 1000));
      expect(isVerified(token)).toBe(isAccepted);
    });

    it.each([
      [0, false],
      [1, true],
      [MAX_DASHBOARD_TOKEN_SECONDS, true],
      [MAX_DASHBOARD_TOKEN_SECONDS + 1, false],
    ])('and whose lifetime is %i s is accepted: %s', (lifetime, isAccepted) => {
      const { token } = tokens.sign(user, lifetime, new Date(Date.now() + 30_000));
      expect(isVerified(token)).toBe(isAccepted);
    });
  });

  it('stays valid during a change of the secret, whichever process signed it', () => {
    const steps: [string, ...string[]][] = [[OLD], [OLD, NEW], [NEW, OLD], [NEW]];
    for (const [at, step] of steps.entries()) {
      const { token } = tokensOf(...step).sign(user, 60, new Date());
      for (const adjacent of steps.slice(Math.max(0, at - 1), at + 2)) expect(tokensOf(...adjacent).verify(token)).toEqual(user);
    }
    expect(() => tokensOf(NEW).verify(tokensOf(OLD).sign(user, 60, new Date()).token)).toThrow(UNAUTHORIZED);
  });

  it.each(Object.entries(BATTERY))('is rejected with %s', async (_, forge) => {
    const forged = await forge(parts);
    expect(() => tokens.verify(forged)).toThrow(UNAUTHORIZED);
  });
});
