import { createHash } from 'node:crypto';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import {
  apiKeyRpc,
  createApiKey,
  createOrganization,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
  type RpcContract,
  type RpcOutput,
  type RpcRequest,
} from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { eventually, rowsWith, TestStack } from '@classroom/testing';

const HOUR_S = 3_600;
const MINUTE_MS = 60_000;

let stack: TestStack;
let nats: NatsConnection;
let rpc: RpcClient;
let organizationId: string;

const call = <C extends RpcContract>(contract: C, input: RpcRequest<C>): Promise<RpcOutput<C>> => rpc.call(contract, input, 20_000);
const newOrganization = async () => (await call(createOrganization, { name: 'School' })).id as string;
const make = (overrides: object = {}) =>
  call(createApiKey, { organizationId, name: 'Timetable', scopes: ['rooms:read', 'rooms:write'], ...overrides });
const list = async (of = organizationId) => (await call(listApiKeys, { organizationId: of })).apiKeys;
const rotate = (keyId: string, overrides: object = {}) => call(rotateApiKey, { organizationId, keyId, ...overrides });
const partsOf = (secret: string) => {
  const [, prefix = '', random = ''] = /^vc_live_([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/.exec(secret) ?? [];
  return { prefix, hash: createHash('sha256').update(random).digest('hex'), random };
};
const find = (secret: string) => call(apiKeyRpc.find, { prefix: partsOf(secret).prefix });
const hashes = async (secret: string) => (await find(secret)).secrets.map(({ hash }) => hash);

beforeAll(async () => {
  stack = await TestStack.start({ parts: ['postgres', 'nats', 'redis', 's3'], apps: ['organization'] });
  nats = await connect(stack.nats);
  rpc = new RpcClient(nats);
});
afterAll(async () => {
  await nats?.close();
  await stack?.stop();
});
beforeEach(async () => {
  organizationId = await newOrganization();
});
afterEach(() => stack.moveClock(0));

describe('an API key', () => {
  it('shows its secret only when it is created', async () => {
    const { secret, ...made } = await make({ scopes: ['rooms:read', 'rooms:read', 'ai:use'] });
    const { prefix, hash, random } = partsOf(secret);
    expect(made).toMatchObject({
      prefix: `vc_live_${prefix}`,
      name: 'Timetable',
      scopes: ['rooms:read', 'ai:use'],
      expiresAt: null,
      lastUsedAt: null,
    });
    expect(await list()).toEqual([made]);
    expect(await find(secret)).toEqual({
      keyId: made.keyId,
      organizationId,
      scopes: made.scopes,
      expiresAt: null,
      secrets: [{ hash, validUntil: null }],
    });
    expect(Object.keys(await rowsWith(stack, hash))).toContain('organization.api_key_secrets');
    expect(await rowsWith(stack, random)).toEqual({});
    expect(stack.log('organization')).not.toContain(random);
  });

  it('is created once for an Idempotency-Key, also by concurrent requests', async () => {
    const answers = await Promise.allSettled([1, 2, 3].map(() => make({ idempotency: { key: 'once' } })));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = answers.filter(({ status }) => status === 'rejected');
    for (const answer of refused) expect(answer).toMatchObject({ reason: { code: 'IDEMPOTENCY_CONFLICT' } });
    expect(await list()).toHaveLength(1);
  });

  it('is one of twenty at most, also with concurrent requests', async () => {
    const answers = await Promise.allSettled(Array.from({ length: 24 }, () => make()));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    const [first] = await list();
    await call(revokeApiKey, { organizationId, keyId: first?.keyId ?? '' });
    await make();
    await expect(make()).rejects.toMatchObject({ code: 'TOO_MANY_API_KEYS' });
  });

  it('is not created with an expiry in the past, nor for an unknown organization', async () => {
    await expect(make({ expiresAt: new Date().toISOString() })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ path: 'expiresAt' }],
    });
    await expect(make({ organizationId: 'org_unknown' })).rejects.toMatchObject({ code: 'ORGANIZATION_NOT_FOUND' });
  });

  it('grants only its own rights, with a new key and with a new secret for another key', async () => {
    const by = { scopes: ['keys:manage', 'rooms:read'], expiresAt: null };
    await expect(make({ by })).rejects.toMatchObject({ code: 'FORBIDDEN', message: expect.stringContaining('rooms:write') });
    const { keyId } = await make();
    await expect(rotate(keyId, { by })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const parent = await make({ scopes: by.scopes });
    const other = await make({ scopes: ['rooms:read'] });
    const caller = { ...by, keyId: parent.keyId };
    const child = await make({ by: caller, scopes: by.scopes });
    const grandchild = await make({ by: { ...by, keyId: child.keyId }, scopes: ['rooms:read'] });
    for (const { keyId: it } of [parent, child, grandchild]) await rotate(it, { by: caller });
    for (const it of [by, caller, { ...by, keyId: grandchild.keyId }])
      await expect(rotate(other.keyId, { by: it })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(rotate(parent.keyId, { by: { ...by, keyId: child.keyId } })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const ending = { ...by, expiresAt: new Date(Date.now() + 1_000 * HOUR_S).toISOString() };
    await expect(make({ by: ending, scopes: ['rooms:read'] })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await make({ by: ending, scopes: ['rooms:read'], expiresAt: ending.expiresAt });
  });

  it('is not visible to another organization', async () => {
    const { keyId, secret } = await make();
    const foreign = { organizationId: await newOrganization(), keyId };
    await expect(call(rotateApiKey, foreign)).rejects.toMatchObject({ code: 'API_KEY_NOT_FOUND' });
    await expect(call(revokeApiKey, foreign)).rejects.toMatchObject({ code: 'API_KEY_NOT_FOUND' });
    expect(await list(foreign.organizationId)).toEqual([]);
    expect(await hashes(secret)).toHaveLength(1);
  });

  it('is deleted with its secrets when it is revoked', async () => {
    const { keyId, secret } = await make();
    await rotate(keyId);
    expect(await call(revokeApiKey, { organizationId, keyId })).toMatchObject({ keyId });
    await expect(find(secret)).rejects.toMatchObject({ code: 'API_KEY_NOT_FOUND' });
    await expect(call(revokeApiKey, { organizationId, keyId })).rejects.toMatchObject({ code: 'API_KEY_NOT_FOUND' });
    expect(await list()).toEqual([]);
    expect(Object.keys(await rowsWith(stack, keyId))).not.toContain('organization.api_key_secrets');
    expect(await stack.rows('SELECT 1 FROM organization.api_keys WHERE key_id = $1 AND revoked_at IS NOT NULL', [keyId])).toHaveLength(1);
  });
});

describe('a rotated API key', () => {
  it('has a new secret, and keeps earlier ones for the requested grace period', async () => {
    const { keyId, secret: first } = await make();
    const { secret: second, previousSecretExpiresAt } = await rotate(keyId);
    expect(partsOf(second).prefix).toBe(partsOf(first).prefix);
    expect(Date.parse(previousSecretExpiresAt ?? '') - Date.now()).toBeGreaterThan(23 * HOUR_S * 1000);
    expect((await find(second)).secrets).toEqual(
      expect.arrayContaining([
        { hash: partsOf(first).hash, validUntil: previousSecretExpiresAt },
        { hash: partsOf(second).hash, validUntil: null },
      ]),
    );
    // The first secret keeps its expiry, unless a rotation gives an earlier one.
    const { secret: third } = await rotate(keyId, { graceSeconds: 48 * HOUR_S });
    const ends = new Map((await find(third)).secrets.map(({ hash, validUntil }) => [hash, validUntil]));
    expect(ends.get(partsOf(first).hash)).toBe(previousSecretExpiresAt);
    const { secret: last, previousSecretExpiresAt: none } = await rotate(keyId, { graceSeconds: 0 });
    expect(none).toBeNull();
    expect(await hashes(last)).toEqual([partsOf(last).hash]);
  });

  it('states when a previous secret expires, until then', async () => {
    const { keyId } = await make();
    const { previousSecretExpiresAt } = await rotate(keyId, { graceSeconds: HOUR_S });
    expect(await list()).toMatchObject([{ keyId, previousSecretExpiresAt }]);
    await stack.moveClock(2 * HOUR_S * 1000);
    await eventually(async () => expect((await list())[0]?.previousSecretExpiresAt).toBeNull());
  });

  it('has five secrets at most, and can always be rotated without a grace period', async () => {
    const { keyId } = await make();
    for (let n = 0; n < 4; n += 1) await rotate(keyId);
    await expect(rotate(keyId)).rejects.toMatchObject({ code: 'TOO_MANY_API_KEY_SECRETS' });
    const { secret } = await rotate(keyId, { graceSeconds: 0 });
    expect(await hashes(secret)).toHaveLength(1);
  });

  it('is rotated once for an Idempotency-Key', async () => {
    const { keyId } = await make();
    const idempotency = { key: 'again' };
    const { secret } = await rotate(keyId, { idempotency });
    await expect(rotate(keyId, { idempotency })).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
    expect(await hashes(secret)).toHaveLength(2);
  });
});

describe('the last use of an API key', () => {
  const used = (...uses: { keyId: string; usedAt: string }[]) => call(apiKeyRpc.used, { uses });
  const lastUse = async (keyId: string) => (await list()).find((it) => it.keyId === keyId)?.lastUsedAt;
  const at = (ms: number) => new Date(Date.parse('2026-01-01T10:00:00.000Z') + ms).toISOString();

  it('is written once a minute at most and never moves back, whichever gateway reports it', async () => {
    const [{ keyId }, other] = await Promise.all([make(), make()]);
    await used({ keyId, usedAt: at(0) });
    expect(await lastUse(keyId)).toBe(at(0));
    await used({ keyId, usedAt: at(MINUTE_MS - 1) }, { keyId: other.keyId, usedAt: at(5) });
    expect([await lastUse(keyId), await lastUse(other.keyId)]).toEqual([at(0), at(5)]);
    await Promise.all([used({ keyId, usedAt: at(MINUTE_MS) }), used({ keyId, usedAt: at(MINUTE_MS) })]);
    expect(await lastUse(keyId)).toBe(at(MINUTE_MS));
    await used({ keyId, usedAt: at(0) });
    expect(await lastUse(keyId)).toBe(at(MINUTE_MS));
  });
});

describe('an API key that created others', () => {
  const SCOPES = ['keys:manage', 'rooms:read'];
  /** A key made by another one, as the gateway states it. */
  const madeBy = ({ keyId }: { keyId: string }) => make({ scopes: SCOPES, by: { keyId, scopes: SCOPES, expiresAt: null } });
  const revoke = (keyId: string, overrides: object = {}) => call(revokeApiKey, { organizationId, keyId, ...overrides });

  it('is named by them, and revoked with them, directly or not', async () => {
    const parent = await make({ scopes: SCOPES });
    const child = await madeBy(parent);
    const grandchild = await madeBy(child);
    const other = await make();
    expect([parent.createdByKeyId, child.createdByKeyId, grandchild.createdByKeyId]).toEqual([null, parent.keyId, child.keyId]);
    const { alsoRevoked } = await revoke(parent.keyId);
    expect(alsoRevoked?.sort()).toEqual([child.keyId, grandchild.keyId].sort());
    expect(await list()).toMatchObject([{ keyId: other.keyId }]);
    await expect(find(grandchild.secret)).rejects.toMatchObject({ code: 'API_KEY_NOT_FOUND' });
  });

  it('also revokes those of a key that it created and that was revoked alone', async () => {
    const parent = await make({ scopes: SCOPES });
    const child = await madeBy(parent);
    const grandchild = await madeBy(child);
    expect(await revoke(child.keyId, { keepsCreated: true })).toMatchObject({ alsoRevoked: [] });
    expect(await find(grandchild.secret)).toMatchObject({ keyId: grandchild.keyId });
    expect(await revoke(parent.keyId)).toMatchObject({ alsoRevoked: [grandchild.keyId] });
    expect(await list()).toEqual([]);
  });

  it('leaves none behind that it creates while it is revoked', async () => {
    const parent = await make({ scopes: SCOPES });
    const [revoked, ...made] = await Promise.allSettled([revoke(parent.keyId), ...Array.from({ length: 8 }, () => madeBy(parent))]);
    expect(revoked?.status).toBe('fulfilled');
    for (const answer of made.filter(({ status }) => status === 'rejected'))
      expect(answer).toMatchObject({ reason: { code: 'UNAUTHORIZED' } });
    expect(await list()).toEqual([]);
  });
});

describe('an API key where operators limit lifetimes', () => {
  const DAYS = 30;
  const inDays = (days: number) => new Date(Date.now() + days * 24 * HOUR_S * 1000).toISOString();
  beforeAll(() => stack.app('organization').restart({ API_KEY_MAX_DAYS: String(DAYS) }));

  it('expires at the limit, or earlier if its creator says so, and not later', async () => {
    const { expiresAt, createdAt } = await make();
    expect(Date.parse(expiresAt ?? '') - Date.parse(createdAt)).toBe(DAYS * 24 * HOUR_S * 1000);
    expect(await make({ expiresAt: inDays(DAYS - 1) })).toMatchObject({ name: 'Timetable' });
    await expect(make({ expiresAt: inDays(DAYS + 1) })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      message: 'expiresAt must be at most 30 days from now',
    });
  });
});
