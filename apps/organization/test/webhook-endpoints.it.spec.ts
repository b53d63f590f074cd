import {
  deleteWebhookEndpoint,
  getWebhookDelivery,
  getWebhookEndpoint,
  listWebhookDeliveries,
  listWebhookEndpoints,
  replayWebhookDelivery,
  replayWebhooks,
  rotateWebhookSecret,
  testWebhookEndpoint,
  updateWebhookEndpoint,
} from '@classroom/contracts';
import { eventually, rowsWith, WebhookReceiver } from '@classroom/testing';
import { DAY, newSid, verify, WebhookFixture } from './support/webhook-fixture.js';

let fixture: WebhookFixture;
let receiver: WebhookReceiver;
let organizationId: string;

beforeAll(async () => {
  [fixture, receiver] = await Promise.all([WebhookFixture.start(), WebhookReceiver.start()]);
});
afterAll(async () => {
  await fixture?.stop();
  await receiver?.stop();
});
beforeEach(async () => {
  organizationId = await fixture.newOrganization();
});

describe('an endpoint', () => {
  it('shows its secret only when it is created', async () => {
    const { secret, ...endpoint } = await fixture.newEndpoint(organizationId, receiver.url(), {
      description: 'CRM',
      eventTypes: ['room.created', 'room.created'],
    });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(endpoint).toMatchObject({
      url: receiver.url(),
      description: 'CRM',
      eventTypes: ['room.created'],
      isEnabled: true,
      disabledReason: null,
    });
    const later = await fixture.endpoint(organizationId, endpoint.endpointId);
    expect(later).toEqual({ ...later, endpointId: endpoint.endpointId, url: receiver.url() });
    expect(JSON.stringify([later, await fixture.call(listWebhookEndpoints, { organizationId })])).not.toContain('secret');
    expect(await rowsWith(fixture.stack, secret.slice('whsec_'.length))).toEqual({});
    expect(fixture.stack.log('organization')).not.toContain(secret);
  });

  it('is created once for an Idempotency-Key, also by concurrent requests, with the same secret in each answer', async () => {
    const make = (url: string, bodyHash: string) => fixture.newEndpoint(organizationId, url, { idempotency: { key: 'once', bodyHash } });
    const answers = await Promise.all([1, 2, 3].map(() => make(receiver.url(), 'a')));
    expect(new Set(answers.map(({ endpointId, secret }) => `${endpointId} ${secret}`)).size).toBe(1);
    await expect(make(receiver.url('/other'), 'b')).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
    expect((await fixture.call(listWebhookEndpoints, { organizationId })).endpoints).toHaveLength(1);
  });

  it('is one of sixteen at most, also with concurrent requests', async () => {
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) => fixture.newEndpoint(organizationId, receiver.url(`/${n}`))),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(16);
    const [first] = (await fixture.call(listWebhookEndpoints, { organizationId })).endpoints;
    await fixture.call(deleteWebhookEndpoint, { organizationId, endpointId: first?.endpointId ?? '' });
    await fixture.newEndpoint(organizationId, receiver.url('/17'));
    await expect(fixture.newEndpoint(organizationId, receiver.url('/18'))).rejects.toMatchObject({ code: 'TOO_MANY_WEBHOOK_ENDPOINTS' });
  });

  it.each([
    ['http://school.example/hook', 'https'],
    ['ftp://school.example/hook', 'https'],
    ['https://user:password@school.example/hook', 'no user and no password'],
    ['https://10.0.0.1/hook', 'public'],
    ['https://169.254.169.254/latest/meta-data', 'public'],
    ['https://[fd00::1]/hook', 'public'],
    ['https://2852039166/', 'public'],
    ['http://10.0.0.1/hook', 'https'],
  ])('cannot be created at %s', async (url, words) => {
    await expect(fixture.newEndpoint(organizationId, url)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ path: 'url', message: expect.stringContaining(words) }],
    });
    const { endpointId } = await fixture.newEndpoint(organizationId, receiver.url());
    await expect(fixture.call(updateWebhookEndpoint, { organizationId, endpointId, changes: { url } })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    });
  });

  it('is not visible to another organization', async () => {
    const { endpointId } = await fixture.newEndpoint(organizationId, receiver.url());
    const { deliveryId } = await fixture.call(testWebhookEndpoint, { organizationId, endpointId });
    const foreign = { organizationId: await fixture.newOrganization(), endpointId };
    const attempts = [
      fixture.call(getWebhookEndpoint, foreign),
      fixture.call(updateWebhookEndpoint, { ...foreign, changes: { isEnabled: false } }),
      fixture.call(rotateWebhookSecret, foreign),
      fixture.call(testWebhookEndpoint, foreign),
      fixture.call(listWebhookDeliveries, { ...foreign, limit: 10 }),
      fixture.call(getWebhookDelivery, { ...foreign, deliveryId }),
      fixture.call(replayWebhookDelivery, { ...foreign, deliveryId }),
      fixture.call(replayWebhooks, { ...foreign, since: '2020-01-01T00:00:00.000Z', status: 'failed', types: [] }),
      fixture.call(deleteWebhookEndpoint, foreign),
    ];
    for (const attempt of await Promise.allSettled(attempts))
      expect(attempt).toMatchObject({ status: 'rejected', reason: { code: 'WEBHOOK_ENDPOINT_NOT_FOUND' } });
    expect(await fixture.endpoint(organizationId, endpointId)).toMatchObject({ isEnabled: true });
    const other = await fixture.newEndpoint(organizationId, receiver.url());
    await expect(fixture.call(getWebhookDelivery, { organizationId, endpointId: other.endpointId, deliveryId })).rejects.toMatchObject({
      code: 'WEBHOOK_DELIVERY_NOT_FOUND',
    });
  });

  it('gets the requested event types of its own organization, and nothing after it is deleted', async () => {
    const [all, starts] = [`/all-${newSid()}`, `/starts-${newSid()}`];
    const { endpointId } = await fixture.newEndpoint(organizationId, receiver.url(all));
    await fixture.newEndpoint(organizationId, receiver.url(starts), { eventTypes: ['room.started'] });
    const sid = await fixture.roomCreated(organizationId);
    await fixture.roomCreated(await fixture.newOrganization());
    await fixture.roomStarted(organizationId, sid);
    await eventually(() => {
      expect(
        receiver
          .on(all)
          .map(({ event }) => event.type)
          .sort(),
      ).toEqual(['room.created', 'room.started']);
      expect(receiver.on(starts).map(({ event }) => event.type)).toEqual(['room.started']);
    });
    expect(receiver.on(all).every(({ event }) => event.data['sid'] === sid)).toBe(true);
    await fixture.call(deleteWebhookEndpoint, { organizationId, endpointId });
    await expect(fixture.endpoint(organizationId, endpointId)).rejects.toMatchObject({ code: 'WEBHOOK_ENDPOINT_NOT_FOUND' });
    await fixture.roomStarted(organizationId, newSid());
    await eventually(() => expect(receiver.on(starts)).toHaveLength(2));
    expect(receiver.on(all)).toHaveLength(2);
  });
});

describe('a rotated secret', () => {
  it('signs together with the previous one for 24 hours, then alone', async () => {
    const path = `/rotated-${newSid()}`;
    const { endpointId, secret: before } = await fixture.newEndpoint(organizationId, receiver.url(path));
    const once = { organizationId, endpointId, idempotency: { key: 'k', bodyHash: '' } };
    const rotated = await fixture.call(rotateWebhookSecret, once);
    const again = await fixture.call(rotateWebhookSecret, once);
    expect(again).toMatchObject({ secret: rotated.secret, previousSecretExpiresAt: rotated.previousSecretExpiresAt });
    expect(rotated.secret).not.toBe(before);
    const pinged = async (count: number) => {
      await fixture.call(testWebhookEndpoint, { organizationId, endpointId });
      return eventually(() => {
        expect(receiver.on(path)).toHaveLength(count);
        return receiver.received.filter((it) => it.path === path).at(-1)!;
      });
    };
    const both = await pinged(1);
    expect(verify(before, both)).toMatchObject({ type: 'ping', sequence: null, data: { endpointId } });
    expect(verify(rotated.secret, both)).toMatchObject({ type: 'ping' });
    // A day later, a delivery without a recorded outcome would be sent again.
    await eventually(async () =>
      expect(await fixture.deliveries(organizationId, endpointId)).toMatchObject([{ lastAttempt: { statusCode: 200 } }]),
    );
    await fixture.stack.moveClock(DAY + 60_000);
    try {
      const alone = await pinged(2);
      expect(() => verify(rotated.secret, alone)).not.toThrow();
      expect(() => verify(before, alone)).toThrow();
    } finally {
      await fixture.stack.moveClock(0);
    }
  });
});
