import { createHash } from 'node:crypto';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import {
  createCredential,
  createOrganization,
  credentialRevoked,
  credentialRpc,
  getOrganization,
  listCredentials,
  revokeCredential,
  type RpcContract,
  type RpcOutput,
  type RpcRequest,
} from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { eventually, rowsWith, TestStack, listenForFact } from '@classroom/testing';

const DAY_MS = 86_400_000;
const UNKNOWN = 'cred_00000000000000000000';

let stack: TestStack;
let nats: NatsConnection;
let rpc: RpcClient;

const call = <C extends RpcContract>(contract: C, input: RpcRequest<C>): Promise<RpcOutput<C>> => rpc.call(contract, input, 20_000);
const hashOf = (value: string) => createHash('sha256').update(value).digest('hex');
const find = (value: string) => call(credentialRpc.find, { hash: hashOf(value) });
const refusedWith = (code: string) => ({ code });

/** @returns an organization's id, and the value and id of its first credential */
async function school(chosen: object = {}): Promise<{ id: string; value: string; credentialId: string }> {
  const { id, organizationId: value, credential } = await call(createOrganization, { name: 'School', ...chosen });
  if (id === undefined || credential === undefined) throw new Error('the answer has no id or no credential');
  return { id, value, credentialId: credential.credentialId };
}
const make = (organizationId: string, overrides: object = {}) => call(createCredential, { organizationId, ...overrides });
const list = async (organizationId: string) => (await call(listCredentials, { organizationId })).credentials;
const revoke = (organizationId: string, credentialId: string, overrides: object = {}) =>
  call(revokeCredential, { organizationId, credentialId, ...overrides });

beforeAll(async () => {
  stack = await TestStack.start({ parts: ['postgres', 'nats', 'redis', 's3'], apps: ['organization'] });
  nats = await connect(stack.nats);
  rpc = new RpcClient(nats);
});
afterAll(async () => {
  await nats?.close();
  await stack?.stop();
});
afterEach(() => stack.moveClock(0));

describe('an organization', () => {
  it('has an id that is not its first credential, and that is no credential', async () => {
    const { id, value, credentialId } = await school();
    expect(id).toMatch(/^org_[A-Za-z0-9]{20}$/);
    expect(value).toMatch(/^vfo_[\w-]{32}$/);
    expect(await find(value)).toEqual({ credentialId, organizationId: id, expiresAt: null });
    await expect(find(id)).rejects.toMatchObject(refusedWith('CREDENTIAL_NOT_FOUND'));
    expect(await call(getOrganization, { organizationId: id })).toMatchObject({ id, organizationId: id, name: 'School' });
  });

  it('can be created with a chosen value once, also by concurrent requests, and not with the id of another one', async () => {
    const { id } = await school();
    const chosen = { organizationId: `school-${id}` };
    const answers = await Promise.allSettled([1, 2, 3].map(() => school(chosen)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const taken of [chosen, { organizationId: id }])
      await expect(school(taken)).rejects.toMatchObject(refusedWith('ORGANIZATION_ALREADY_EXISTS'));
    const [{ count }] = (await stack.rows(
      `SELECT count(*)::int AS count FROM organization.organizations o LEFT JOIN organization.organization_credentials c USING (organization_id) WHERE c.hash IS NULL`,
    )) as [{ count: number }];
    expect(count).toBe(0);
  });
});

describe('a credential', () => {
  it('shows its value only when it is created, and only a hash of it is stored or logged', async () => {
    const { id } = await school();
    const { value, ...made } = await make(id, { expiresAt: '2999-01-01T00:00:00.000Z' });
    expect(made).toMatchObject({ hint: value.slice(-4), lastUsedAt: null, expiresAt: '2999-01-01T00:00:00.000Z' });
    expect((await list(id))[1]).toEqual(made);
    expect(await rowsWith(stack, value)).toEqual({});
    expect(stack.log('organization')).not.toContain(value);
  });

  it('has no hint if its value is short, and may have been used by no organization before', async () => {
    const [{ id }, other] = [await school(), await school()];
    const chosen = { value: `short-${id.slice(-6)}` };
    const { credentialId, hint } = await make(id, chosen);
    expect(hint).toBe('');
    await revoke(id, credentialId);
    for (const organizationId of [id, other.id])
      await expect(make(organizationId, chosen)).rejects.toMatchObject(refusedWith('CREDENTIAL_ALREADY_EXISTS'));
  });

  it('is created once for an Idempotency-Key, also by concurrent requests', async () => {
    const { id } = await school();
    const answers = await Promise.allSettled([1, 2, 3].map(() => make(id, { idempotency: { key: 'once' } })));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status === 'rejected'))
      expect(answer).toMatchObject({ reason: refusedWith('IDEMPOTENCY_CONFLICT') });
    expect(await list(id)).toHaveLength(2);
  });

  it('is one of ten at most, also with concurrent requests', async () => {
    const { id } = await school();
    const answers = await Promise.allSettled(Array.from({ length: 12 }, () => make(id)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(9);
    await expect(make(id)).rejects.toMatchObject(refusedWith('TOO_MANY_CREDENTIALS'));
  });

  it('expires in the future, and is listed until it is revoked', async () => {
    const { id } = await school();
    await expect(make(id, { expiresAt: '2020-01-01T00:00:00.000Z' })).rejects.toMatchObject(refusedWith('VALIDATION_FAILED'));
    const expiresAt = new Date(Date.now() + DAY_MS).toISOString();
    await make(id, { expiresAt });
    await stack.moveClock(2 * DAY_MS);
    expect(await list(id)).toMatchObject([{ expiresAt: null }, { expiresAt }]);
  });

  it('is announced to gateways when it is revoked, and found by none afterwards', async () => {
    const { id, value, credentialId } = await school();
    await make(id);
    const revoked = await listenForFact(nats, credentialRevoked, credentialId);
    await revoke(id, credentialId);
    expect(await revoked()).toMatchObject({ data: { organizationId: id, credentialId } });
    await expect(find(value)).rejects.toMatchObject(refusedWith('CREDENTIAL_NOT_FOUND'));
    await expect(revoke(id, credentialId)).rejects.toMatchObject(refusedWith('CREDENTIAL_NOT_FOUND'));
  });

  it('remains if it is the last valid one, also with concurrent requests, unless an operator revokes it', async () => {
    const { id, credentialId } = await school();
    const soon = new Date(Date.now() + DAY_MS).toISOString();
    const second = await make(id);
    await make(id, { expiresAt: soon });
    await stack.moveClock(2 * DAY_MS);
    const answers = await Promise.allSettled([credentialId, second.credentialId].map((it) => revoke(id, it)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(answers.find(({ status }) => status === 'rejected')).toMatchObject({ reason: refusedWith('LAST_CREDENTIAL') });
    for (const left of await list(id)) await revoke(id, left.credentialId, { isByOperator: true });
    expect(await list(id)).toEqual([]);
  });

  it('cannot be managed by an API key, nor by another organization', async () => {
    const [{ id, credentialId }, other] = [await school(), await school()];
    await expect(make(id, { isByKey: true })).rejects.toMatchObject(refusedWith('FORBIDDEN'));
    await expect(revoke(id, credentialId, { isByKey: true })).rejects.toMatchObject(refusedWith('FORBIDDEN'));
    for (const [organizationId, named] of [
      [other.id, credentialId],
      ['org_unknown', credentialId],
      [id, UNKNOWN],
    ] as const)
      await expect(revoke(organizationId, named)).rejects.toMatchObject(refusedWith('CREDENTIAL_NOT_FOUND'));
    await expect(make('org_unknown')).rejects.toMatchObject(refusedWith('ORGANIZATION_NOT_FOUND'));
  });

  it('shows its last use, written at most once a minute', async () => {
    const { id, credentialId } = await school();
    const use = (usedAt: string) => call(credentialRpc.used, { uses: [{ credentialId, usedAt }] });
    const lastUse = async () => (await list(id))[0]?.lastUsedAt;
    await use('2026-01-15T09:00:00.000Z');
    await use('2026-01-15T09:00:30.000Z');
    expect(await lastUse()).toBe('2026-01-15T09:00:00.000Z');
    await use('2026-01-15T09:01:30.000Z');
    await eventually(async () => expect(await lastUse()).toBe('2026-01-15T09:01:30.000Z'));
  });
});
