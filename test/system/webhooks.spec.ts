import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import {
  adminApi,
  ApiClient,
  eventually,
  newOrganization,
  newRoom,
  person,
  type ReceivedWebhook,
  RtcParticipant,
  type RunningStack,
  sharedStack,
  WebhookReceiver,
} from '@classroom/testing';

type IsGenuine = (secret: string, headers: ReceivedWebhook['headers'], body: string) => boolean;

/** The function of the guide, as a reader copies it. */
const isGenuine = ((): IsGenuine => {
  const guide = readFileSync(join(__dirname, '..', '..', 'docs', 'guides', 'webhooks.md'), 'utf8');
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(guide) ?? [];
  return runInNewContext(`${code}; isGenuine`, { require, Buffer }) as IsGenuine;
})();

describe('webhooks of a class', () => {
  let stack: RunningStack;
  let receiver: WebhookReceiver;
  let api: ApiClient;
  let organizationId: string;
  let endpoint: { endpointId: string; secret: string };

  beforeAll(async () => {
    [stack, receiver] = await Promise.all([sharedStack(), WebhookReceiver.start()]);
    ({ organizationId, api } = await newOrganization(stack));
    endpoint = (await api.post('/v1/webhook-endpoints', { url: receiver.url() })).body.data;
  });

  afterAll(async () => {
    await RtcParticipant.disposeAll();
    await receiver?.stop();
  });

  it('report all of it, each once, signed, and the history has the same in order', async () => {
    const { roomId, sid, token } = await newRoom(api);
    const teacher = await RtcParticipant.connect(stack.urls.livekitPublic, token);
    const joined = await api.post(`/v1/room/${roomId}/join`, { participant: person('ada', 'STUDENT') });
    const ada = await RtcParticipant.connect(stack.urls.livekitPublic, joined.body.data.token);
    await eventually(() => expect(receiver.on('/hook', 'participant.joined')).toHaveLength(2));
    expect((await api.post(`/v1/room/${roomId}/participants/ada/remove`)).status).toBe(200);
    await eventually(() => expect(ada.disconnected).toBe(true));
    expect((await api.delete(`/v1/room/${roomId}`)).status).toBe(200);
    await eventually(() => expect(teacher.disconnected).toBe(true));
    const types = [
      'participant.joined',
      'participant.joined',
      'participant.left',
      'participant.left',
      'participant.removed',
      'room.created',
      'room.finished',
      'room.started',
    ];
    await eventually(
      () =>
        expect(
          receiver
            .on('/hook')
            .map(({ event }) => event.type)
            .toSorted(),
        ).toEqual(types),
      40_000,
    );

    for (const webhook of receiver.received) {
      const { headers, body } = webhook;
      expect(isGenuine(endpoint.secret, headers, body)).toBe(true);
      expect(isGenuine(endpoint.secret, headers, body.replace('"', "'"))).toBe(false);
      expect(isGenuine(endpoint.secret, { ...headers, 'webhook-timestamp': '1795280400' }, body)).toBe(false);
      expect(webhook.event.data).toMatchObject({ roomId, sid });
      expect(webhook.body).not.toContain(organizationId);
    }
    expect(receiver.on('/hook', 'participant.removed')[0]?.event.data).toMatchObject({ uid: 'ada', removedBy: null });

    const { events, nextCursor, hasMore } = (await api.get('/v1/events')).body.data;
    expect(events.map(({ sequence }: { sequence: number }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect([nextCursor, hasMore]).toEqual(['8', false]);
    const sent = Object.fromEntries(receiver.received.map(({ event }) => [event.id, event]));
    expect(Object.fromEntries(events.map((event: { id: string }) => [event.id, event]))).toEqual(sent);
    const left = (await api.get('/v1/events?types=participant.left&limit=1')).body.data;
    expect(left).toMatchObject({ events: [{ type: 'participant.left' }], hasMore: true });
    const rest = (await api.get(`/v1/events?types=participant.left,room.finished&after=${left.nextCursor}`)).body.data;
    expect(rest.events.map(({ type }: { type: string }) => type).toSorted()).toEqual(['participant.left', 'room.finished']);
    expect((await api.get(`/v1/events?after=${rest.nextCursor}`)).body.data).toMatchObject({ events: [], nextCursor: '8' });
    for (const query of ['after=9', 'after=999999999999999&types=participant.left']) {
      const { status, body } = await api.get(`/v1/events?${query}`);
      expect([status, body.details]).toEqual([400, [{ path: 'after', message: expect.stringContaining('end of the history (8)') }]]);
    }
  });

  it('report credits once each when a running balance crosses the threshold and zero', async () => {
    const school = await newOrganization(stack, { billing: { type: 'PREPAID', credits: 150, creditRate: 0.01, currency: 'USD' } });
    const url = receiver.url('/credits');
    expect((await school.api.post('/v1/webhook-endpoints', { url, eventTypes: ['credits.low', 'credits.overconsumed'] })).status).toBe(200);
    const post = async (amount: number) => {
      const answer = await adminApi(stack).post(`/v1/admin/organizations/${school.organizationId}/credits`, {
        amount,
        reference: `r${amount}`,
      });
      expect(answer.status).toBe(200);
    };
    const received = () => receiver.on('/credits').map(({ event: { type, data } }) => [type, data]);
    const low = (remainingCredits: number) => ['credits.low', { remainingCredits, threshold: 100 }];
    await post(-50);
    await post(-1);
    await post(-2);
    await eventually(() => expect(received()).toEqual([low(99)]));
    await post(-97);
    await post(-3);
    await eventually(() => expect(received()).toEqual([low(99), ['credits.overconsumed', { remainingCredits: -3 }]]));
    // A top-up re-enables the notification at the threshold.
    await post(200);
    await post(-120);
    await eventually(() => expect(received().slice(2)).toEqual([low(77)]));
  });

  it('report each crossing of the organization’s own thresholds once', async () => {
    const school = await newOrganization(stack);
    const post = async (amount: number) => {
      const path = `/v1/admin/organizations/${school.organizationId}/credits` as const;
      expect((await adminApi(stack).post(path, { amount, reference: randomUUID() })).status).toBe(200);
    };
    const key = (await school.api.post('/v1/api-keys', { name: 'Reader', scopes: ['billing:read'] })).body.data.secret;
    expect((await school.api.put('/v1/billing/alerts', { remaining: [900, 950, 950] })).body).toEqual({
      success: true,
      message: 'Alerts set',
      data: { remaining: [950, 900], consumed: [] },
    });
    const reader = new ApiClient(stack.urls.gateway).bearer(key);
    expect((await reader.get('/v1/billing/alerts')).body.data).toEqual({ remaining: [950, 900], consumed: [] });
    expect((await reader.put('/v1/billing/alerts', { remaining: [] })).body.error).toBe('FORBIDDEN');
    for (const amount of [-40, -20, -60, -1, 100, -80]) await post(amount);
    const reached = (threshold: number, credits: number) => ({ type: 'remaining', threshold, credits });
    await eventually(async () => {
      const { events } = (await school.api.get('/v1/events?types=credits.threshold_reached')).body.data;
      expect(events.map(({ data }: { data: object }) => data)).toEqual([
        reached(950, 940),
        reached(900, 880),
        reached(950, 899),
        reached(900, 899),
      ]);
    });
  });

  it('are managed over the API, which names every invalid value', async () => {
    const { endpointId } = endpoint;
    const path = `/v1/webhook-endpoints/${endpointId}` as const;
    expect((await api.get(path)).body.data).toMatchObject({ endpointId, url: receiver.url(), isEnabled: true });
    expect((await api.get('/v1/webhook-endpoints')).body.data.endpoints).toHaveLength(1);
    const ping = await api.post(`${path}/test`);
    expect(ping.body).toMatchObject({ success: true, data: { type: 'ping', status: 'pending' } });
    await eventually(() => expect(receiver.on('/hook', 'ping')).toHaveLength(1));
    const delivery = `${path}/deliveries/${ping.body.data.deliveryId}`;
    await eventually(async () =>
      expect((await api.get(delivery)).body.data).toMatchObject({
        status: 'delivered',
        lastAttempt: { statusCode: 200, responseBody: 'ok' },
      }),
    );
    expect((await api.post(`${delivery}/replay`)).status).toBe(200);
    await eventually(() => expect(receiver.on('/hook', 'ping')).toHaveLength(2));
    expect((await api.get(`${path}/deliveries?status=delivered&limit=1`)).body.data).toMatchObject({
      deliveries: [{}],
      nextCursor: expect.any(String),
    });
    const [first, again] = [await rotate(path), await rotate(path)];
    expect(again.body.data.secret).toBe(first.body.data.secret);
    expect((await api.post(`${path}/replay`, { since: new Date(0).toISOString() })).body.data).toEqual({ queued: 0, hasMore: false });

    const wrong = [
      await api.post('/v1/webhook-endpoints', { url: 'http://school.example/hook' }),
      await api.post('/v1/webhook-endpoints', { url: receiver.url(), eventTypes: ['room.exploded'] }),
      await api.patch(path, {}),
      await api.get(`${path}/deliveries?cursor=none`),
      await api.get('/v1/events?after=-1'),
      await api.get('/v1/events?types=room.exploded'),
      await api.post(`${path}/replay`, { since: '2026-01-02T00:00:00.000Z', until: '2026-01-01T00:00:00.000Z' }),
      await api.get('/v1/webhook-endpoints/somewhere'),
    ];
    expect(wrong.map(({ status, body }) => [status, body.error])).toEqual(wrong.map(() => [400, 'VALIDATION_FAILED']));
    expect((await api.patch(path, { isEnabled: false })).body.data).toMatchObject({ isEnabled: false, disabledReason: 'requested' });
    expect((await api.post(`${path}/test`)).body).toMatchObject({ success: false, error: 'WEBHOOK_ENDPOINT_DISABLED' });
    expect((await api.delete(path)).status).toBe(200);
    expect((await api.get(path)).body.error).toBe('WEBHOOK_ENDPOINT_NOT_FOUND');
  });

  const rotate = (path: `/v1/webhook-endpoints/${string}`) =>
    api.post(`${path}/rotate-secret`, undefined, { 'Idempotency-Key': 'rotation-1' });
});
