import { connect, type NatsConnection } from '@nats-io/transport-node';
import {
  addDomain,
  checkDomain,
  createOrganization,
  getOrganization,
  listDomains,
  organizationRpc,
  removeDomain,
  updateOrganization,
  type RpcContract,
  type RpcOutput,
  type RpcRequest,
} from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { eventually, TestStack } from '@classroom/testing';
import { NameServer, SERVER_FAILURE } from './support/name-server.js';

const MINUTE = 60_000;
const DAY = 86_400_000;

jest.setTimeout(60_000);

describe('a domain of an organization', () => {
  let stack: TestStack;
  let names: NameServer;
  let nats: NatsConnection;
  let rpc: RpcClient;
  let organizationId: string;

  beforeAll(async () => {
    names = await NameServer.start();
    const env = { organization: { DNS_SERVERS: names.address } };
    stack = await TestStack.start({ parts: ['postgres', 'nats', 'redis', 's3'], apps: ['organization'], env });
    nats = await connect(stack.nats);
    rpc = new RpcClient(nats);
  });
  afterAll(async () => {
    await nats?.close();
    await stack?.stop();
    names?.stop();
  });
  beforeEach(async () => {
    organizationId = (await call(createOrganization, { name: 'School', verifiedDomains: ['old.example'] })).id ?? '';
  });
  afterEach(() => stack.moveClock(0));

  const call = <C extends RpcContract>(contract: C, input: RpcRequest<C>): Promise<RpcOutput<C>> => rpc.call(contract, input, 20_000);
  const add = (domain: string, verification: 'dns' | 'manual' = 'dns') => call(addDomain, { organizationId, domain, verification });
  const check = (domain: string) => call(checkDomain, { organizationId, domain });
  const isVerified = async (host: string) => (await call(organizationRpc.isVerifiedHost, { host })).isVerified;
  const verified = async () => (await call(getOrganization, { organizationId })).verifiedDomains;

  it('is verified when its record is found, and stays so, with a report, when the record is missing', async () => {
    const added = await add('*.lakeside.example:8443');
    const record = { name: '_virtual-classroom.lakeside.example', value: expect.stringMatching(/^vcd_[\w-]{32}$/) as string };
    expect(added).toMatchObject({ status: 'PENDING', record });
    const value = added.record?.value ?? '';
    // The service looks for it by itself too.
    await eventually(async () =>
      expect(await call(listDomains, { organizationId })).toMatchObject({ domains: [{ lookup: 'NOT_FOUND' }, {}] }),
    );
    names.records.set(record.name, SERVER_FAILURE);
    expect(await check(added.domain)).toMatchObject({ status: 'PENDING', lookup: 'NO_ANSWER' });
    names.records.set(record.name, ['v=spf1 -all', `${value}x`]);
    expect(await check(added.domain)).toMatchObject({ status: 'PENDING', lookup: 'NOT_FOUND' });
    expect([await verified(), await isVerified('a.lakeside.example:8443')]).toEqual([['old.example'], false]);

    names.records.set(record.name, ['v=spf1 -all', value]);
    await stack.moveClock(16 * MINUTE);
    await eventually(async () => expect(await verified()).toEqual(['old.example', added.domain]));
    expect(await isVerified('a.lakeside.example:8443')).toBe(true);

    names.records.delete(record.name);
    await stack.moveClock(2 * DAY);
    await eventually(async () =>
      expect((await call(listDomains, { organizationId })).domains).toEqual([
        expect.objectContaining({ domain: added.domain, status: 'VERIFIED', missingSince: expect.any(String) as unknown }),
        expect.objectContaining({ domain: 'old.example', status: 'VERIFIED', record: null, missingSince: null }),
      ]),
    );
    expect(stack.log('organization')).toContain('the record that proved a verified domain is missing');
    names.records.set(record.name, [value]);
    expect(await check(added.domain)).toMatchObject({ status: 'VERIFIED', missingSince: null });
  });

  it('that an operator removed does not come back by itself', async () => {
    for (const [domain, remove] of [
      ['a.example', () => call(updateOrganization, { organizationId, changes: { verifiedDomains: ['old.example'] } })],
      ['b.example', () => call(removeDomain, { organizationId, domain: 'b.example' })],
    ] as const) {
      const { record } = await add(domain);
      names.records.set(record?.name ?? '', [record?.value ?? '']);
      expect((await check(domain)).status).toBe('VERIFIED');
      await remove();
      expect(await verified()).toEqual(['old.example']);
      await expect(check(domain)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    await call(removeDomain, { organizationId, domain: 'old.example' });
    expect(await call(listDomains, { organizationId })).toEqual({ domains: [] });
    await expect(call(removeDomain, { organizationId, domain: 'old.example' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is not looked for while its organization is closed', async () => {
    const times = (domain: string) => names.asked.filter((name) => name === `_virtual-classroom.${domain}`).length;
    await add('closed.example');
    await eventually(() => expect(times('closed.example')).toBe(1));
    await stack.rows('UPDATE organization.organizations SET closed_at = now() WHERE organization_id = $1', [organizationId]);
    const other = (await call(createOrganization, { name: 'Open school' })).id ?? '';
    await call(addDomain, { organizationId: other, domain: 'open.example', verification: 'dns' });
    for (const passed of [1, 2, 3]) {
      await eventually(() => expect(times('open.example')).toBe(passed));
      await stack.moveClock(passed * 16 * MINUTE);
    }
    expect(times('closed.example')).toBe(1);
  });

  it('is verified without a record if an operator says so, and keeps its record’s value otherwise', async () => {
    const [first, again] = [await add('c.example'), await add('c.example')];
    expect(again.record).toEqual(first.record);
    expect(await add('c.example', 'manual')).toMatchObject({ status: 'VERIFIED', record: null });
    expect(await add('localhost:3000', 'manual')).toMatchObject({ status: 'VERIFIED' });
    for (const refused of ['localhost:3000', 'intranet', '192.0.2.1', '*.co.uk', `${'a.'.repeat(118)}example`])
      await expect(add(refused)).rejects.toMatchObject({ code: 'VALIDATION_FAILED', details: [{ path: 'domain' }] });
    expect(await verified()).toEqual(['old.example', 'c.example', 'localhost:3000']);
  });
});
