import { verifyWebhook } from '../../libs/sdk/src/index.js';
import {
  adminApi,
  type ApiClient,
  eventually,
  newOrganization,
  newRoom,
  person,
  RtcParticipant,
  type RunningStack,
  sharedStack,
  WebhookReceiver,
} from '@classroom/testing';

/** The question to a school's backend before a participant joins. */
describe('a join hook', () => {
  let stack: RunningStack;
  let api: ApiClient;
  let receiver: WebhookReceiver;
  let hook: `/v1/admin/organizations/${string}/join-hook`;

  beforeAll(async () => {
    stack = await sharedStack();
    receiver = await WebhookReceiver.start();
  });
  beforeEach(async () => {
    const school = await newOrganization(stack);
    api = school.api;
    hook = `/v1/admin/organizations/${school.organizationId}/join-hook`;
    receiver.received.length = 0;
    receiver.answer = () => ({ body: '{"allow": true}' });
  });
  afterAll(async () => {
    await RtcParticipant.disposeAll();
    await receiver.stop();
  });

  const set = async (more: object = {}) => (await adminApi(stack).put(hook, { url: receiver.url(), ...more })).body.data;
  const invite = async (roomId: string, uid: string) => {
    const { token } = (await api.post(`/v1/room/${roomId}/join`, { participant: person(uid, 'STUDENT') })).body.data as { token: string };
    return { token, open: () => api.bearer(token).post('/v1/classroom/session') };
  };

  it('is asked before a participant gets a media token, with a signature, and its answer holds', async () => {
    const { secret, ...shown } = await set({ fallback: 'refuse' });
    expect(shown).toEqual({ url: receiver.url(), timeoutMs: 1_500, fallback: 'refuse' });
    const { roomId, sid } = await newRoom(api);
    const ada = await invite(roomId, 'ada');
    // The link alone does not connect.
    await expect(RtcParticipant.connect(stack.urls.livekitPublic, ada.token)).rejects.toThrow();
    const session = await ada.open();
    expect(session.body.data.livekitToken).not.toBe('');
    const [asked] = receiver.received;
    expect(verifyWebhook(asked?.body ?? '', asked?.headers ?? {}, secret)).toMatchObject({
      type: 'participant.joining',
      data: { roomId, sid, uid: 'ada' },
    });
    expect(() => verifyWebhook(asked?.body ?? '', asked?.headers ?? {}, `whsec_${'A'.repeat(43)}=`)).toThrow();
    // A session that continues is not asked about.
    expect((await api.bearer(session.body.data.classroomToken).post('/v1/classroom/session')).status).toBe(200);
    expect(receiver.received).toHaveLength(1);
    receiver.answer = ({ event }) => ({ body: JSON.stringify({ allow: event.data['uid'] !== 'bob' }) });
    const bob = await invite(roomId, 'bob');
    expect(await bob.open()).toMatchObject({ status: 403, body: { error: 'ADMISSION_REFUSED' } });
    // A changed hook keeps its secret.
    expect((await set()).secret).toBe(secret);
    expect((await adminApi(stack).delete(hook)).status).toBe(200);
    await eventually(async () => expect((await bob.open()).status).toBe(200));
    expect((await set()).secret).not.toBe(secret);
  });

  it.each([
    ['allow', 200],
    ['refuse', 403],
  ])('that does not answer in time has the fallback %s, and is left alone after some failures', async (fallback, status) => {
    await set({ fallback, timeoutMs: 100 });
    receiver.answer = () => ({ delayMs: 2_000, body: '{"allow": true}' });
    const { roomId } = await newRoom(api);
    const ada = await invite(roomId, 'ada');
    for (let attempt = 0; attempt < 5; attempt += 1) expect((await ada.open()).status).toBe(status);
    expect(receiver.received.length).toBeLessThan(5);
  });

  it('is at an address that may be opened', async () => {
    const refused = await adminApi(stack).put(hook, { url: 'http://10.0.0.1/joins' });
    expect(refused).toMatchObject({ status: 400, body: { details: [{ path: 'url' }] } });
    expect((await adminApi(stack).put(hook.replace(/org_\w+/, 'org_none'), { url: receiver.url() })).status).toBe(404);
  });
});
