import { randomUUID } from 'node:crypto';
import {
  adminApi,
  ApiClient,
  eventually,
  first,
  newOrganization,
  newRoom,
  person,
  RtcParticipant,
  type RunningStack,
  sharedStack,
} from '@classroom/testing';

/** What an operator does with an organization, and what its members see of it. */
describe('organizations', () => {
  let stack: RunningStack;

  beforeAll(async () => {
    stack = await sharedStack();
  });

  afterAll(async () => {
    await RtcParticipant.disposeAll();
  });

  it('creates, reads, changes and lists them only with the dispatch secret', async () => {
    const admin = adminApi(stack);
    await newOrganization(stack);
    const id = `school_${randomUUID()}`;
    const body = { organizationId: id, name: 'S', verifiedDomains: ['school.example', '*.school.example', 'localhost:3000'] };
    const created = await admin.post('/v1/admin/organizations', body);
    expect(created.body.data).toMatchObject({ organizationId: id, billing: null, verifiedDomains: body.verifiedDomains });
    expect((await admin.post('/v1/admin/organizations', body)).body.error).toBe('ORGANIZATION_ALREADY_EXISTS');
    expect((await admin.get(`/v1/admin/organizations/${id}`)).body.data.name).toBe('S');
    expect((await admin.get('/v1/admin/organizations/unknown')).body.error).toBe('ORGANIZATION_NOT_FOUND');
    const plan = { type: 'POSTPAID', billingFrequency: 'MONTHLY', creditRate: '0.012', currency: 'EUR' };
    const changed = await admin.patch(`/v1/admin/organizations/${id}`, { billing: plan, branding: { accentColor: '#336699' } });
    expect(changed.body.data).toMatchObject({
      name: 'S',
      billing: { type: 'POSTPAID', creditRate: 0.012 },
      branding: { accentColor: '#336699', logoUrl: null },
    });
    const page = await admin.get('/v1/admin/organizations?limit=1');
    expect(page.body.data.organizations).toHaveLength(1);
    const next = await admin.get(`/v1/admin/organizations?limit=1&cursor=${page.body.data.pagination.nextCursor}`);
    expect(first(next.body.data.organizations).organizationId).not.toBe(first(page.body.data.organizations).organizationId);
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'cursor=nonsense']) {
      expect((await admin.get(`/v1/admin/organizations?${query}`)).status).toBe(400);
    }
  });

  it('creates no room without a billing plan, and one as soon as there is a plan', async () => {
    const creation = { roomId: `r-${randomUUID()}`, title: 'T', participant: person('t') };
    const { api: poor, organizationId: id } = await newOrganization(stack, { billing: undefined });
    const refused = await poor.post('/v1/room/create', creation);
    expect([refused.status, refused.body.error]).toEqual([422, 'ORGANIZATION_SETUP_INCOMPLETE']);
    expect(refused.body.message).toMatch(/^Organization setup is incomplete: /);
    // The body is checked first.
    expect((await poor.post('/v1/room/create', {})).status).toBe(400);
    const billing = { type: 'PREPAID', credits: 5, creditRate: 1, currency: 'USD' };
    await adminApi(stack).patch(`/v1/admin/organizations/${id}`, { billing });
    expect((await poor.post('/v1/room/create', creation)).status).toBe(200);
  });

  it('applies an organization’s change within a second, also to the page’s frame-ancestors', async () => {
    const { api: school, organizationId: id } = await newOrganization(stack, { verifiedDomains: ['old.example'] });
    const { sid } = await newRoom(school);
    const anonymous = new ApiClient(stack.urls.gateway);
    const policy = async () => (await anonymous.get(`/r/${sid}`)).headers.get('content-security-policy');
    expect(await policy()).toContain('frame-ancestors old.example');
    await adminApi(stack).patch(`/v1/admin/organizations/${id}`, { verifiedDomains: ['new.example', '*.new.example'] });
    await eventually(async () => expect(await policy()).toContain('frame-ancestors new.example *.new.example'));
    const unknown = await anonymous.get('/r/RM_0000000000000000');
    expect([unknown.status, unknown.headers.get('content-security-policy')]).toEqual([
      404,
      expect.stringContaining(`frame-ancestors 'self'`),
    ]);
  });

  it('shows anyone who knows a sid the roomId and the verified domains in the page of that class, and nothing else', async () => {
    const verifiedDomains = ['lakeside.example', '*.lakeside.example'];
    const branding = { logoUrl: 'https://lakeside.example/logo.png', primaryColor: '#123456' };
    const { api: school } = await newOrganization(stack, { name: 'Lakeside', verifiedDomains, branding });
    const { roomId, sid } = await newRoom(school, { title: 'Grief counselling', metadata: { patient: 'Ann' } });
    const anonymous = new ApiClient(stack.urls.gateway);
    const [known, unknown] = await Promise.all([anonymous.get(`/r/${sid}`), anonymous.get('/r/RM_0000000000000000')]);
    const shown = /<meta name="embedding" content="([^"]*)">/.exec(known.text);
    expect(JSON.parse((shown?.[1] ?? '').replaceAll('&quot;', '"'))).toEqual({ roomId, verifiedDomains });
    expect(known.text.replace(shown?.[0] ?? '', '')).toBe(unknown.text);
    await school.delete(`/v1/room/${roomId}`);
    expect((await anonymous.get(`/r/${sid}`)).text).toBe(known.text);
  });

  it('store no more videos than an operator allows, from the next call on', async () => {
    const { api: school, organizationId: id } = await newOrganization(stack);
    const film = { title: 'A film', fileName: 'film.mp4', size: 5_000, contentType: 'video/mp4' };
    const change = (quotas: object) => adminApi(stack).patch(`/v1/admin/organizations/${id}`, { quotas });
    expect((await change({ videoGib: 0, videoMinutes: 10 })).body.data.quotas).toEqual({ videoGib: 0, videoMinutes: 10 });
    const refused = await school.post('/v1/cdn/videos', film);
    expect([refused.status, refused.body.error]).toEqual([409, 'QUOTA_EXCEEDED']);
    expect(refused.body).toMatchObject({ message: expect.stringContaining('quotas.videoGib'), details: [{ path: 'size' }] });
    expect((await change({ videoGib: null })).body.data.quotas).toEqual({ videoGib: null, videoMinutes: 10 });
    expect((await school.post('/v1/cdn/videos', film)).status).toBe(200);
    const { usage } = (await school.get('/v1/cdn/videos')).body.data;
    expect(usage).toEqual({ bytes: 5_000, maxBytes: 1_000 * 1024 ** 3, minutes: 0, maxMinutes: 10 });
    expect((await change({ videoGib: -1 })).body.message).toContain('quotas.videoGib');
  });

  it('refuses to change the billing type while a class is live', async () => {
    const { api: school, organizationId: id } = await newOrganization(stack);
    const { roomId, token } = await newRoom(school);
    const postpaid = { billing: { type: 'POSTPAID', billingFrequency: 'WEEKLY', creditRate: 1, currency: 'USD' } };
    const teacher = await RtcParticipant.connect(stack.urls.livekitPublic, token);
    await eventually(async () => expect((await school.get(`/v1/room/${roomId}/status`)).body.data.isActive).toBe(true));
    const refused = await adminApi(stack).patch(`/v1/admin/organizations/${id}`, postpaid);
    expect([refused.status, refused.body.error]).toEqual([409, 'BILLING_TYPE_LOCKED']);
    await teacher.leave();
    await school.delete(`/v1/room/${roomId}`);
    expect((await adminApi(stack).patch(`/v1/admin/organizations/${id}`, postpaid)).status).toBe(200);
  });
});
