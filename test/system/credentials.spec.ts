import {
  adminApi,
  ApiClient,
  eventually,
  newOrganization,
  newRoom,
  present,
  rowsWith,
  sharedStack,
  type RunningStack,
} from '@classroom/testing';

/** Values of VF-ORG-ID: several at once, replaced without an interruption, and revoked at once. */
describe('the credentials of an organization', () => {
  let stack: RunningStack;
  beforeAll(async () => {
    stack = await sharedStack();
  });

  const withValue = (value: string) => new ApiClient(stack.urls.gateway, { 'VF-ORG-ID': value });
  const statusOf = async (value: string) => (await withValue(value).get('/v1/rooms')).status;

  it('are replaced while the backend continues', async () => {
    const { api, value: first } = await newOrganization(stack);
    const { roomId } = await newRoom(api);
    const { value: second } = (await api.post('/v1/credentials')).body.data;
    expect((await withValue(second).get('/v1/rooms')).body.data.rooms).toMatchObject([{ roomId }]);
    const { credentialId, hint } = present((await api.get('/v1/credentials')).body.data.credentials[0]);
    expect(hint).toBe(first.slice(-4));
    expect((await withValue(second).delete(`/v1/credentials/${credentialId}`)).status).toBe(200);
    await eventually(async () => expect(await statusOf(first)).toBe(401));
    expect(await statusOf(second)).toBe(200);
    expect((await withValue(second).get('/v1/credentials')).body.data.credentials).toHaveLength(1);
    expect((await withValue(second).delete(`/v1/credentials/${credentialId}`)).body.error).toBe('CREDENTIAL_NOT_FOUND');
  });

  it('show when they were last used', async () => {
    const { api } = await newOrganization(stack);
    await eventually(async () => expect((await api.get('/v1/credentials')).body.data.credentials[0]?.lastUsedAt).not.toBeNull());
  });

  it('cannot be managed with an API key, and the last one not revoked by the organization', async () => {
    const { api } = await newOrganization(stack);
    const { secret } = (await api.post('/v1/api-keys', { name: 'Keys', scopes: ['keys:manage'] })).body.data;
    const byKey = new ApiClient(stack.urls.gateway).bearer(secret);
    const { credentialId } = present((await byKey.get('/v1/credentials')).body.data.credentials[0]);
    expect((await byKey.post('/v1/credentials')).body.error).toBe('FORBIDDEN');
    expect((await byKey.delete(`/v1/credentials/${credentialId}`)).body.error).toBe('FORBIDDEN');
    expect((await api.delete(`/v1/credentials/${credentialId}`)).body.error).toBe('LAST_CREDENTIAL');
  });

  it('are managed by operators, who name the organization by its id or by a value', async () => {
    const { api, value, organizationId } = await newOrganization(stack);
    const admin = adminApi(stack);
    const pathOf = (organization: string) => `/v1/admin/organizations/${organization}` as const;
    for (const named of [value, organizationId]) {
      expect((await admin.get(pathOf(named))).body.data).toMatchObject({ id: organizationId, organizationId });
      expect((await admin.get(`${pathOf(named)}/credentials`)).body.data.credentials).toHaveLength(1);
    }
    const chosen = `chosen-${organizationId}`;
    expect((await admin.post(`${pathOf(organizationId)}/credentials`, { value: chosen })).body.data.value).toBe(chosen);
    expect((await admin.post(`${pathOf(value)}/credentials`, { value: chosen })).body.error).toBe('CREDENTIAL_ALREADY_EXISTS');
    expect(await statusOf(chosen)).toBe(200);
    const { credentials } = (await api.get('/v1/credentials')).body.data;
    expect(credentials).toHaveLength(2);
    for (const { credentialId } of credentials)
      expect((await admin.delete(`${pathOf(organizationId)}/credentials/${credentialId}`)).status).toBe(200);
    await eventually(async () => expect([await statusOf(value), await statusOf(chosen)]).toEqual([401, 401]));
    expect((await admin.get(pathOf(value))).status).toBe(404);
  });

  it('appear in no fact, log or trace; the id does not authenticate', async () => {
    const { api, value, organizationId } = await newOrganization(stack);
    await newRoom(api);
    expect(await statusOf(organizationId)).toBe(401);
    expect(await rowsWith(stack, value)).toEqual({});
  });
});
