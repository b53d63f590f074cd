import { randomBytes } from 'node:crypto';
import { LOGO_SAMPLE } from '@classroom/contracts';
import {
  type Answer,
  ApiClient,
  eventually,
  first,
  messagesDuring,
  newOrganization,
  newRoom,
  OPERATOR_SECRETS,
  person,
  type RunningStack,
  sharedStack,
} from '@classroom/testing';
import { entriesOf, type Entry, entryOf, keyOf } from './audit-log.js';

jest.setTimeout(120_000);

/** The audit log: who did what, when, from where, and with which effect. audit-faults.long.spec.ts continues with faults. */
describe('the audit log', () => {
  let stack: RunningStack;
  let ada: ApiClient;
  let grace: ApiClient;

  beforeAll(async () => {
    stack = await sharedStack();
    const withSecret = (secret: string) => new ApiClient(stack.urls.gateway, { 'X-Dispatch-Secret': secret });
    [ada, grace] = [withSecret(OPERATOR_SECRETS.ada), withSecret(OPERATOR_SECRETS.grace)];
  });

  const bearer = (token: string) => new ApiClient(stack.urls.gateway).bearer(token);
  const requestIdOf = ({ headers }: Answer) => headers.get('x-request-id');

  describe('names', () => {
    it('an operator by the name of the secret, with the values before and after, and hides the address from the organization', async () => {
      const { api, organizationId } = await newOrganization(stack);
      const answer = await ada.patch(`/v1/admin/organizations/${organizationId}`, { name: 'Another name' });
      const entry = await entryOf(api, 'updateOrganization');
      expect(entry).toMatchObject({
        actor: { type: 'operator', id: 'ada' },
        fields: ['name'],
        status: 200,
        address: null,
        requestId: requestIdOf(answer),
        changes: [{ kind: 'organization', id: organizationId, before: { name: 'Test school' }, after: { name: 'Another name' } }],
      });
      const [forOperators] = await entriesOf(ada, `&organizationId=${organizationId}&operation=updateOrganization`, '/v1/admin/audit');
      expect(forOperators).toEqual({ ...entry, organizationId, address: '127.0.0.1' });
    });

    it('the operator who created the organization, as the first entry of its log', async () => {
      const { api, organizationId } = await newOrganization(stack);
      const entry = await entryOf(api, 'createOrganization');
      expect(entry).toMatchObject({ sequence: 1, actor: { type: 'operator', id: 'dispatch' }, status: 200 });
      expect(entry.changes).toMatchObject([
        { kind: 'organization', id: organizationId, before: null, after: { name: 'Test school' } },
        { kind: 'credential', id: expect.stringMatching(/^cred_/), before: null, after: { expiresAt: null } },
      ]);
    });

    it('a credential, and an API key that it created', async () => {
      const { api } = await newOrganization(stack);
      const { credentialId } = first((await api.get('/v1/credentials')).body.data.credentials);
      const { keyId, secret } = await keyOf(api, ['keys:manage', 'audit:read']);
      expect(await entryOf(api, 'createApiKey')).toMatchObject({
        actor: { type: 'credential', id: credentialId },
        address: '127.0.0.1',
        status: 200,
        changes: [{ kind: 'api-key', id: keyId, before: null, after: { name: 'Key', scopes: ['keys:manage', 'audit:read'] } }],
      });
      await bearer(secret).post(`/v1/api-keys/${keyId}/rotate`, { graceSeconds: 3_600 });
      expect(await entryOf(bearer(secret), 'rotateApiKey')).toMatchObject({
        actor: { type: 'api-key', id: keyId },
        target: { keyId },
        fields: ['graceSeconds'],
        changes: [{ kind: 'api-key', id: keyId, before: { secret: '(withheld)' }, after: { secret: '(withheld)' } }],
      });
      await api.delete(`/v1/api-keys/${keyId}`);
      expect((await entryOf(api, 'revokeApiKey')).changes).toMatchObject([{ id: keyId, before: { name: 'Key' }, after: null }]);
    });

    it('a dashboard user by the subject of the token', async () => {
      const { api, organizationId } = await newOrganization(stack);
      const path = `/v1/admin/organizations/${organizationId}/dashboard-tokens` as const;
      const { token } = (await ada.post(path, { subject: 'head@lakeside.example', role: 'OWNER' })).body.data;
      expect(await entryOf(api, 'issueDashboardTokenForOrganization')).toMatchObject({
        target: { subject: 'head@lakeside.example' },
        changes: [],
      });
      await bearer(token).patch('/v1/dashboard/branding', { primaryColor: '#112233' });
      expect(await entryOf(api, 'updateDashboardBranding')).toMatchObject({
        actor: { type: 'dashboard', id: 'head@lakeside.example' },
        changes: [{ before: { primaryColor: null }, after: { primaryColor: '#112233' } }],
      });
      const { logoUrl } = (await bearer(token).put('/v1/dashboard/branding/logo', { logo: LOGO_SAMPLE })).body.data;
      expect(await entryOf(api, 'setLogo')).toMatchObject({
        target: {},
        fields: ['logo'],
        changes: [{ before: { logoUrl: null }, after: { logoUrl } }],
      });
    });

    it('a teacher who ended a class, and the backend that ended another one and exported data', async () => {
      const { api } = await newOrganization(stack);
      const first = await newRoom(api);
      const { token } = (await api.post(`/v1/room/${first.roomId}/join`, { participant: person('ada') })).body.data;
      const session = (await bearer(token).post('/v1/classroom/session')).body.data;
      expect((await bearer(session.classroomToken).post('/v1/classroom/end')).status).toBe(200);
      expect(await entryOf(api, 'endClass')).toMatchObject({
        actor: { type: 'participant', id: 'ada' },
        target: { sid: first.sid },
        status: 200,
      });
      const second = await newRoom(api);
      await api.delete(`/v1/room/${second.roomId}`);
      expect(await entryOf(api, 'deleteRoom')).toMatchObject({ target: { roomId: second.roomId }, status: 200 });
      const reads = {
        listRoomChat: 'chat',
        listRoomPolls: 'polls',
        listConsents: 'consents',
        listEngagement: 'engagement',
        explainQuality: 'participants/ada/quality',
      };
      for (const path of Object.values(reads)) await api.get(`/v1/room/${first.roomId}/${path}`);
      for (const operation of Object.keys(reads)) expect(await entryOf(api, operation)).toMatchObject({ target: { roomId: first.roomId } });
      await api.get(`/v1/room/${second.roomId}/attendance`);
      await api.get(`/v1/room/${second.roomId}/attendance?export=csv`);
      await api.post('/v1/participant/sessions', { uid: 'ada' });
      expect(await entryOf(api, 'getParticipantSessions')).toMatchObject({ target: { uid: 'ada' }, status: 200 });
      await entryOf(api, 'getAttendance');
      expect(await entriesOf(api, '&operation=getAttendance')).toHaveLength(1);
      expect((await entriesOf(api)).map(({ operation }) => operation)).not.toContain('joinRoom');
    });
  });

  it('has the refusal of an operator who may only read, and of a key without the scope', async () => {
    const { api, organizationId } = await newOrganization(stack);
    expect((await grace.get(`/v1/admin/organizations/${organizationId}`)).status).toBe(200);
    const refused = await grace.post('/v1/admin/organizations', { name: 'Not created' });
    expect(refused.body).toMatchObject({ error: 'FORBIDDEN', message: 'This operator may only read' });
    await eventually(async () =>
      expect(await entriesOf(grace, '&ofOperators=true&actor=grace', '/v1/admin/audit')).toMatchObject([
        { organizationId: null, operation: 'createOrganization', status: 403, requestId: requestIdOf(refused) },
      ]),
    );
    const { keyId, secret } = await keyOf(api, ['rooms:read']);
    expect((await bearer(secret).post('/v1/api-keys', { name: 'Key', scopes: ['rooms:read'] })).status).toBe(403);
    expect((await bearer(secret).get('/v1/audit')).status).toBe(403);
    await eventually(async () =>
      expect(await entriesOf(api, `&actor=${keyId}`)).toMatchObject([{ operation: 'createApiKey', status: 403, changes: [] }]),
    );
    expect((await new ApiClient(stack.urls.gateway, { 'X-Dispatch-Secret': 'wrong' }).get('/v1/admin/organizations')).status).toBe(401);
  });

  it('shows an organization nothing of another one, page by page, by time, operation and actor', async () => {
    const [one, other] = [await newOrganization(stack), await newOrganization(stack)];
    for (let count = 0; count < 4; count++) await keyOf(one.api, ['rooms:read']);
    await keyOf(other.api, ['rooms:read']);
    await eventually(async () => expect(await entriesOf(one.api)).toHaveLength(5));
    const all = await entriesOf(one.api);
    expect(all.map(({ sequence }) => sequence).sort()).toEqual([1, 2, 3, 4, 5]);
    await eventually(async () =>
      expect((await entriesOf(other.api)).map(({ operation }) => operation)).toEqual(['createApiKey', 'createOrganization']),
    );
    const ids = new Set(all.map(({ id }) => id));
    expect((await entriesOf(other.api)).filter(({ id }) => ids.has(id))).toEqual([]);

    const paged: Entry[] = [];
    for (let cursor = ''; ;) {
      const { entries, pagination } = (await one.api.get(`/v1/audit?limit=2${cursor}`)).body.data;
      paged.push(...entries);
      if (!pagination.hasMore) break;
      cursor = `&cursor=${pagination.nextCursor}`;
    }
    expect(paged).toEqual(all);
    const [, second, third] = all as [Entry, Entry, Entry];
    expect(await entriesOf(one.api, `&from=${third.at}&to=${second.at}`)).toEqual(all.filter(({ at }) => at >= third.at && at < second.at));
    expect(await entriesOf(one.api, '&operation=createOrganization')).toEqual(all.slice(-1));
    expect(await entriesOf(one.api, '&actor=dispatch')).toEqual(all.slice(-1));
    expect((await one.api.get('/v1/audit?cursor=none')).body.error).toBe('VALIDATION_FAILED');
    const everyone = await entriesOf(ada, '', '/v1/admin/audit');
    expect(everyone.filter(({ organizationId }) => organizationId === one.organizationId)).toHaveLength(5);
    expect(everyone.filter(({ organizationId }) => organizationId === other.organizationId)).toHaveLength(2);
  });

  it('contains no secret and no text of a person, in no row and no message', async () => {
    const markers: string[] = [];
    const marker = () => {
      const made = `m${randomBytes(12).toString('hex')}`;
      markers.push(made);
      return made;
    };
    const secrets: Record<string, string> = { ada: OPERATOR_SECRETS.ada, dispatch: stack.secrets['dispatchSecret'] ?? '' };
    const messages = await messagesDuring(stack, 'audit.>', async () => {
      const { api, organizationId, value } = await newOrganization(stack, {
        branding: { logoUrl: `https://a.example/${marker()}.png?key=${marker()}` },
      });
      const { secret, keyId } = await keyOf(api, ['keys:manage']);
      const { secret: rotated } = (await api.post(`/v1/api-keys/${keyId}/rotate`)).body.data;
      const endpoint = { url: `https://hooks.example/${marker()}?token=${marker()}`, description: marker() };
      const { endpointId, secret: signing } = (await api.post('/v1/webhook-endpoints', endpoint)).body.data;
      await api.patch(`/v1/webhook-endpoints/${endpointId}`, { url: `https://hooks.example/${marker()}`, description: marker() });
      const { secret: resigning } = (await api.post(`/v1/webhook-endpoints/${endpointId}/rotate-secret`)).body.data;
      const chosen = marker();
      const { credentialId } = (await ada.post(`/v1/admin/organizations/${organizationId}/credentials`, { value: chosen })).body.data;
      await ada.delete(`/v1/admin/organizations/${organizationId}/credentials/${credentialId}`);
      await eventually(async () => expect((await ada.get(`/v1/admin/organizations/${chosen}`)).status).toBe(404));
      // A revoked value in the place of an id.
      await ada.post(`/v1/admin/organizations/${chosen}/credits`, { amount: 1, reference: marker(), note: marker() });
      const tokens = `/v1/admin/organizations/${organizationId}/dashboard-tokens` as const;
      const { token } = (await ada.post(tokens, { subject: 'head', role: 'OWNER' })).body.data;
      const room = await newRoom(api, { title: marker() });
      await api.delete(`/v1/room/${room.roomId}`);
      await eventually(async () => expect((await entriesOf(api)).map(({ operation }) => operation)).toContain('deleteRoom'));
      expect(await entryOf(api, 'updateWebhookEndpoint')).toMatchObject({
        changes: [{ before: { url: 'https://hooks.example/…', description: '(withheld)' }, after: { url: 'https://hooks.example/…' } }],
      });
      Object.assign(secrets, { value, secret, rotated, signing, resigning, chosen, token });
    });

    const rows = await stack.rows<{ text: string }>(
      ['audit_entries', 'audit_pending', 'audit_changes', 'audit_heads']
        .map((table) => `SELECT to_jsonb(r)::text AS text FROM organization.${table} r`)
        .join(' UNION ALL '),
    );
    const stored = [...rows.map((row) => row.text), ...messages].join('\n');
    expect(stored).toContain('updateWebhookEndpoint');
    for (const [name, hidden] of [...Object.entries(secrets), ...markers.entries()])
      expect([name, stored.includes(hidden)]).toEqual([name, false]);
  });
});
