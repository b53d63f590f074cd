import { createHash, randomBytes } from 'node:crypto';
import { adminApi, ApiClient, eventually, newOrganization, newRoom, TestStack, whileFull } from '@classroom/testing';
import { entriesOf, entryOf, keyOf } from './audit-log.js';

const MINUTE = 60_000;
const SECRET = `ada-${randomBytes(24).toString('base64url')}`;

jest.setTimeout(120_000);

/** Kills processes of its own stack, fills a stream, and moves the clock. */
describe('the audit log', () => {
  let stack: TestStack;
  let ada: ApiClient;

  beforeAll(async () => {
    const OPERATORS = `ada:${createHash('sha256').update(SECRET).digest('hex')}`;
    stack = await TestStack.start({ apps: ['organization', 'room', 'billing', 'gateway'], env: { gateway: { OPERATORS } } });
    ada = new ApiClient(stack.urls.gateway, { 'X-Dispatch-Secret': SECRET });
  });
  afterAll(() => stack?.stop());
  afterEach(() => stack.moveClock(0));

  describe('loses nothing', () => {
    it.each(['before-commit', 'after-commit'])('when the service is killed %s', async (step) => {
      const { api, organizationId } = await newOrganization(stack);
      await entryOf(api, 'createOrganization');
      const organization = stack.app('organization');
      await organization.restart({ FAILPOINTS: `organization.audit.${step}=crash` });
      await ada.patch(`/v1/admin/organizations/${organizationId}`, { name: 'Changed before the kill' });
      expect((await organization.exited).signal).toBe('SIGKILL');
      await organization.start();
      await eventually(async () => expect(await entriesOf(api)).toHaveLength(2), 60_000);
      const entry = await entryOf(api, 'updateOrganization');
      expect(entry).toMatchObject({ sequence: 2, status: 200, changes: [{ after: { name: 'Changed before the kill' } }] });
    });

    it('when the gateway is killed during a call: its entry then has no status', async () => {
      const { api, organizationId } = await newOrganization(stack);
      await entryOf(api, 'createOrganization');
      const gateway = stack.app('gateway');
      await gateway.restart({ FAILPOINTS: 'gateway.audit.after-begin=crash' });
      const answer = ada.delete(`/v1/admin/organizations/${organizationId}/dashboard-tokens`).catch(() => undefined);
      expect((await gateway.exited).signal).toBe('SIGKILL');
      await answer;
      await gateway.start();
      await eventually(async () => expect(await pending()).toBe(1));
      await stack.moveClock(31 * MINUTE);
      expect(await entryOf(api, 'revokeDashboardTokensForOrganization')).toMatchObject({ actor: { id: 'ada' }, status: null, changes: [] });
      expect(await pending()).toBe(0);
    });

    const pending = async () => (await stack.rows('SELECT 1 FROM organization.audit_pending')).length;
  });

  it('gets no entry of a key that is not created because the log cannot store it', async () => {
    const { api } = await newOrganization(stack);
    await entryOf(api, 'createOrganization');
    const { roomId } = await newRoom(api);
    await whileFull(stack, 'AUDIT', async () => {
      const refused = await api.post('/v1/api-keys', { name: 'Key', scopes: ['rooms:read'] });
      expect([refused.status, refused.body.error]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect((await api.get('/v1/api-keys')).body.data.apiKeys).toEqual([]);
      // A class must end nevertheless.
      expect((await api.delete(`/v1/room/${roomId}`)).status).toBe(200);
      const metrics = await (await fetch(`http://127.0.0.1:${stack.ports.probes['gateway']}/metrics`)).text();
      expect(metrics).toMatch(/classroom_audit_unstored_total\{[^}]*part="begin"[^}]*\} 2\b/);
    });
    // Retried until the stream stores it.
    expect(await entryOf(api, 'deleteRoom')).toMatchObject({ target: { roomId }, status: 200 });
    expect((await keyOf(api, ['rooms:read'])).keyId).toBeDefined();
  });

  it('knows the operators’ shared secret as `dispatch`', async () => {
    await adminApi(stack).post('/v1/admin/organizations', { name: '' });
    const { status } = await adminApi(stack).post('/v1/admin/organizations', { name: 'School', verifiedDomains: ['*.co.uk'] });
    expect(status).toBe(400);
    await eventually(async () =>
      expect(await entriesOf(ada, '&ofOperators=true&actor=dispatch', '/v1/admin/audit')).toEqual([
        expect.objectContaining({ operation: 'createOrganization', status: 400, fields: expect.arrayContaining(['name']), changes: [] }),
      ]),
    );
  });
});
