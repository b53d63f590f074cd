import { createHash, randomBytes } from 'node:crypto';
import { jetstreamManager } from '@nats-io/jetstream';
import { liveKitSubject, receiveLiveKitWebhook, STREAMS } from '@classroom/contracts';
import { AccessToken } from 'livekit-server-sdk';
import { GatewayFixture } from './support/gateway-fixture.js';

const REFUSED = '401 UNAUTHORIZED';

describe('LiveKit', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => {
    gateway = await GatewayFixture.start();
  });
  afterAll(() => gateway?.stop());

  const { path } = receiveLiveKitWebhook;
  const sid = `RM_${randomBytes(8).toString('hex')}`;
  const newWebhook = (event = 'room_started') =>
    JSON.stringify({ event, id: `EV_${randomBytes(8).toString('hex')}`, room: { name: sid }, createdAt: '1' });

  /** Posts a body with the signature of another one, if given. */
  async function post(
    raw: string,
    { signed = raw, secret = gateway.stack.secrets['livekitApiSecret'] ?? '', type = 'application/webhook+json' } = {},
  ) {
    const token = new AccessToken(gateway.stack.secrets['livekitApiKey'] ?? '', secret);
    token.sha256 = createHash('sha256').update(signed).digest('base64');
    const headers = { authorization: await token.toJwt(), 'content-type': type };
    const { status, body, headers: sent } = await gateway.anonymous.call({ method: 'POST', path, raw, headers });
    return { status, body, retryAfter: sent.get('retry-after') };
  }
  const stored = async () => {
    const manager = await jetstreamManager(gateway.nats);
    const { state } = await manager.streams.info(STREAMS.LIVEKIT.name, { subjects_filter: '>' });
    return state.subjects ?? {};
  };

  it('has each webhook stored once, as it was sent', async () => {
    const [webhook, other] = [newWebhook(), newWebhook('participant_connection_aborted')];
    for (const body of [webhook, webhook, other])
      expect(await post(body)).toMatchObject({ status: 200, body: { success: true, data: { received: true } } });
    const subjects = [liveKitSubject('room_started', sid), liveKitSubject('participant_connection_aborted', sid)];
    expect(await stored()).toEqual({ [subjects[0] ?? '']: 1, [subjects[1] ?? '']: 1 });
    const manager = await jetstreamManager(gateway.nats);
    const message = await manager.streams.getMessage(STREAMS.LIVEKIT.name, { last_by_subj: subjects[0] ?? '' });
    expect(message?.string()).toBe(webhook);
    // An egress has no room object.
    const egress = JSON.stringify({
      event: 'egress_started',
      id: 'EV_egress',
      egressInfo: { egressId: 'EG_1', roomName: sid },
      createdAt: '1',
    });
    expect((await post(egress)).status).toBe(200);
    expect(await stored()).toHaveProperty([liveKitSubject('egress_started', sid)], 1);
  });

  it('is refused with another signature, another body, another type of content, and too much of it', async () => {
    const before = await stored();
    const webhook = newWebhook();
    const refused = [
      await post(webhook, { secret: 'x'.repeat(40) }),
      await post(webhook, { signed: `${webhook} ` }),
      await post(webhook, { type: 'application/json' }),
      await post(webhook, { type: 'text/plain' }),
      await post(' '.repeat(receiveLiveKitWebhook.bodyLimit + 1)),
    ];
    expect(refused.map(({ status, body }) => `${status} ${body.error}`)).toEqual([
      REFUSED,
      REFUSED,
      REFUSED,
      '415 UNSUPPORTED_MEDIA_TYPE',
      '413 PAYLOAD_TOO_LARGE',
    ]);
    const unsigned = await gateway.anonymous.call({
      method: 'POST',
      path,
      raw: webhook,
      headers: { 'content-type': 'application/webhook+json' },
    });
    expect([unsigned.status, await stored()]).toEqual([401, before]);
  });

  it('gets a server error without Retry-After while its webhook cannot be stored', async () => {
    const manager = await jetstreamManager(gateway.nats);
    await manager.streams.delete(STREAMS.LIVEKIT.name);
    expect(await post(newWebhook())).toMatchObject({ status: 503, body: { error: 'SERVICE_UNAVAILABLE' }, retryAfter: null });
  });
});
