import { randomUUID } from 'node:crypto';
import { ApiClient, newOrganization, person, type RunningStack, sharedStack } from '@classroom/testing';

/** What a beginner gets wrong, and what the API answers. */
describe('a beginner’s mistake', () => {
  let stack: RunningStack;
  let api: ApiClient;
  let anonymous: ApiClient;
  const roomId = `lesson-${randomUUID()}`;
  const creation = (overrides: object = {}) => ({ roomId: `r-${randomUUID()}`, title: 'T', participant: person('t'), ...overrides });
  const detail = (path: string, message: string) => ({ path, message: expect.stringContaining(message) });

  beforeAll(async () => {
    stack = await sharedStack();
    ({ api } = await newOrganization(stack));
    anonymous = new ApiClient(stack.urls.gateway);
    await api.post('/v1/room/create', creation({ roomId }));
  });

  it.each<[string, string, Record<string, string>, string[]]>([
    ['no credential', '/v1/rooms', {}, ['is missing', 'is missing']],
    ['an unknown credential', '/v1/rooms', { 'VF-ORG-ID': 'vfo_unknown' }, ['was sent', 'is missing']],
    ['a credential as a bearer', '/v1/rooms', { authorization: 'Bearer vfo_unknown' }, ['is missing', 'is malformed']],
    ['a credential in quotes', '/v1/rooms', { 'VF-ORG-ID': '"vfo_unknown"' }, ['is malformed', 'is missing']],
    ['another header', '/v1/rooms', { 'X-API-Key': 'vc_live_unknown' }, ['is missing', 'is missing']],
    ['an unknown key', '/v1/rooms', { authorization: 'Bearer vc_live_unknown' }, ['is missing', 'was sent']],
    ['no secret of operators', '/v1/admin/organizations', {}, ['is missing']],
    ['no token', '/v1/classroom/state', {}, ['is missing']],
  ])('in authentication is answered with the headers to send: %s', async (_, path, headers, states) => {
    const { status, body } = await anonymous.get(path, headers);
    expect([status, body.message]).toEqual([401, 'Unauthorized']);
    expect(body.details.map(({ message }: { message: string }) => message.split(';')[0])).toEqual(states);
  });

  it.each<[string, object, string, string]>([
    ['a setting in other case', { settings: { waitingroom: 'ALL' } }, 'settings.waitingroom', 'settings.waitingRoom'],
    ['a setting without a letter', { settings: { maxParticipant: 5 } }, 'settings.maxParticipant', 'settings.maxParticipants'],
    ['a setting above its object', { waitingRoom: 'ALL' }, 'waitingRoom', 'settings.waitingRoom'],
    ['a list with a letter too many', { rooster: [] }, 'rooster', 'roster'],
    ['a field in a list of objects', { roster: [{ uid: 'a', Name: 'A' }] }, 'roster.0.Name', 'roster.0.name'],
  ])('in a field’s name is refused with the name that was meant: %s', async (_, overrides, path, meant) => {
    const { status, body } = await api.post('/v1/room/create', creation(overrides));
    const message = `is unknown: did you mean \`${meant}\`?`;
    expect([status, body.message, body.details]).toEqual([400, `${path} ${message}`, [{ path, message }]]);
  });

  it('is refused in a change and in a query likewise, and is named together with the fields that are missing', async () => {
    const changed = await api.patch(`/v1/room/${roomId}`, { settings: { waitingroom: 'ALL' } });
    expect([changed.status, changed.body.details]).toEqual([400, [detail('settings.waitingroom', '`settings.waitingRoom`')]]);
    const listed = await api.get('/v1/rooms?state=live');
    expect([listed.status, listed.body.message]).toEqual([400, 'state is unknown: did you mean `status`?']);
    const { body } = await api.post('/v1/room/create', { ...creation(), title: undefined, titel: 'T' });
    expect([body.message, body.details[1]]).toEqual(['title is required', detail('titel', '`title`')]);
  });

  it('that cannot be guessed is ignored and named in the answer, which has the settings in force', async () => {
    const { status, body } = await api.post(
      '/v1/room/create?utm_source=x',
      creation({ nonsense: 1, metadata: { Title: 1 }, customization: { showLoby: true }, settings: { maxParticipants: 5 } }),
    );
    expect([status, body.data.settings]).toEqual([
      200,
      expect.objectContaining({ maxParticipants: 5, waitingRoom: 'OFF', emptyTimeout: 300 }),
    ]);
    const ignored = ['utm_source', 'nonsense', 'customization.showLoby'];
    expect(body.warnings).toEqual(ignored.map((path) => detail(path, 'is unknown and was ignored')));
    expect((await api.get('/v1/rooms')).body).not.toHaveProperty('warnings');
  });

  it.each([
    ['GET', '/v1/rooms/lesson', 'Not found: did you mean GET /v1/room/:roomId?'],
    ['GET', '/v1/rooms/', 'Not found: did you mean GET /v1/rooms?'],
    ['POST', '/room/create', 'Not found: did you mean POST /v1/room/create?'],
    ['POST', '/v1/agent/chat', 'Not found: did you mean POST /v1/ai-agent/chat?'],
    ['GET', '/v1/nothing', 'Not found'],
    ['GET', '/v1/room/create/x', 'Not found'],
    ['PUT', '/v1/rooms', 'Method not allowed: use GET'],
  ])('in a path is answered with the path that was meant: %s %s', async (method, path, message) => {
    expect((await api.call({ method, path })).body.message).toBe(message);
  });

  it.each<[object, string]>([
    [{ settings: { endsAt: '2020-01-01T00:00:00Z' } }, 'settings.endsAt must be in the future'],
    [{ settings: { startsAt: '2999-01-01T00:00:00Z' } }, 'settings.startsAt must be at most 366 days from now'],
    [{ participant: { ...person('t'), notBefore: '2999-01-01T00:00:00Z' } }, 'participant.notBefore must be at most 366 days from now'],
  ])('against a rule is refused by the field’s name: %j', async (overrides, message) => {
    const { status, body } = await api.post('/v1/room/create', creation(overrides));
    expect([status, body.message]).toEqual([400, message]);
  });
});
