import { randomUUID } from 'node:crypto';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import {
  createOrganization,
  dashboardTokenRpc,
  dashboardTokensRevoked,
  revokeDashboardTokens,
  updateOrganization,
  type RpcContract,
  type RpcOutput,
  type RpcRequest,
} from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { eventually, listenForFact, TestStack } from '@classroom/testing';

jest.setTimeout(60_000);

let stack: TestStack;
let nats: NatsConnection;
let rpc: RpcClient;
beforeAll(async () => {
  stack = await TestStack.start({ parts: ['postgres', 'nats', 'redis', 's3'], apps: ['organization'] });
  nats = await connect(stack.nats);
  rpc = new RpcClient(nats);
});
afterAll(async () => {
  await nats?.close();
  await stack?.stop();
});

const call = <C extends RpcContract>(contract: C, input: RpcRequest<C>): Promise<RpcOutput<C>> => rpc.call(contract, input, 20_000);
const school = async () => (await call(createOrganization, { name: 'School' })).id ?? '';
const revoke = (organizationId: string) => call(revokeDashboardTokens, { organizationId });
const versionOf = async (organizationId: string) => (await call(dashboardTokenRpc.version, { organizationId })).version;

describe('the dashboard tokens of an organization', () => {
  it('have a version, which each revocation increases, also concurrent ones, and no other change', async () => {
    const [id, neighbour] = [await school(), await school()];
    expect(await versionOf(id)).toBe(0);
    await Promise.all([revoke(id), revoke(id), call(updateOrganization, { organizationId: id, changes: { name: 'New' } }), revoke(id)]);
    expect(await versionOf(id)).toBe(3);
    await call(updateOrganization, { organizationId: id, changes: { branding: { primaryColor: '#1a73e8' } } });
    expect(await versionOf(id)).toBe(3);
    expect(await versionOf(neighbour)).toBe(0);
  });

  it('are revoked in every gateway by an event', async () => {
    const id = await school();
    const revoked = await listenForFact(nats, dashboardTokensRevoked, id);
    expect(await revoke(id)).toEqual({ organizationId: id, revokedAt: expect.any(String) as unknown });
    expect(await revoked()).toMatchObject({ data: { organizationId: id, version: 1 } });
  });

  it('are sessions, each of which ends alone, in every gateway by an event, or when its token expires', async () => {
    const [id, neighbour] = [await school(), await school()];
    const open = async (organizationId: string, lifetimeMs = 3_600_000) => {
      const sessionId = randomUUID();
      const expiresAt = new Date(Date.now() + lifetimeMs).toISOString();
      expect(await call(dashboardTokenRpc.open, { organizationId, sessionId, expiresAt })).toEqual({ version: 0 });
      return sessionId;
    };
    const end = (organizationId: string, sessionId: string) => call(dashboardTokenRpc.end, { organizationId, sessionId });
    const isOpen = async (sessionId: string) => (await call(dashboardTokenRpc.version, { organizationId: id, sessionId })).isOpen;
    const [one, other, expired] = [await open(id), await open(id), await open(id, -1_000)];
    await expect(end(neighbour, one)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect([await isOpen(one), await isOpen(other)]).toEqual([true, true]);
    const ended = await listenForFact(nats, dashboardTokensRevoked, id);
    expect(await end(id, one)).toEqual({ sessionId: one, endedAt: expect.any(String) as unknown });
    expect(await ended()).toMatchObject({ data: { version: 0 } });
    expect([await isOpen(one), await isOpen(other), await isOpen(randomUUID())]).toEqual([false, true, false]);
    await expect(end(id, one)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await stack.app('organization').restart();
    await eventually(async () => expect(await isOpen(expired)).toBe(false));
    expect(await isOpen(other)).toBe(true);
  });

  it('are those of an organization that exists', async () => {
    await expect(revoke('org_unknown')).rejects.toMatchObject({ code: 'ORGANIZATION_NOT_FOUND' });
    await expect(versionOf('org_unknown')).rejects.toMatchObject({ code: 'ORGANIZATION_NOT_FOUND' });
  });
});
