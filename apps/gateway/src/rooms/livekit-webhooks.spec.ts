import { createHash } from 'node:crypto';
import { AppError } from '@classroom/contracts';
import type { Message, StreamPublisher } from '@classroom/messaging';
import { AccessToken } from 'livekit-server-sdk';
import type { GatewayConfig } from '../config.js';
import { LiveKitWebhooks } from './livekit-webhooks.js';

const secretOf = (key: string) => key.repeat(32);
const body = JSON.stringify({ event: 'room_finished', id: 'EV_1', room: { name: 'RM_1' }, createdAt: '1' });

function webhooksWith(key: string, ...others: string[]) {
  const stored: string[] = [];
  const publisher = {
    publishAll: async (messages: readonly Message[]) =>
      messages.map(({ subject }) => ({ status: 'fulfilled', value: stored.push(subject) })),
  } as unknown as StreamPublisher;
  const LIVEKIT_OTHER_KEYS = others.map((other) => ({ key: other, secret: secretOf(other) }));
  const config = { LIVEKIT_API_KEY: key, LIVEKIT_API_SECRET: secretOf(key), LIVEKIT_OTHER_KEYS } as GatewayConfig;
  const webhooks = new LiveKitWebhooks(config, publisher);
  return {
    stored,
    receive: (signature: string, sent = body) => webhooks.receive(sent, signature),
  };
}

async function signedBy(key: string, secret = secretOf(key), signed = body, ttl: string | number = '6h'): Promise<string> {
  const token = new AccessToken(key, secret, { ttl });
  token.sha256 = createHash('sha256').update(signed).digest('base64');
  return token.toJwt();
}

describe("LiveKit's webhooks", () => {
  it('are accepted under its key and, while that is changed, under the other one', async () => {
    const { stored, receive } = webhooksWith('new', 'old');
    await receive(await signedBy('new'));
    await receive(await signedBy('old'));
    expect(stored).toHaveLength(2);
  });

  it('are refused under an unknown key, or with the secret of another one', async () => {
    const { stored, receive } = webhooksWith('new', 'old');
    const refused = [await signedBy('gone'), await signedBy('old', secretOf('new')), await signedBy('new', secretOf('old'))];
    for (const signature of refused) await expect(receive(signature)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(stored).toEqual([]);
  });

  it('are refused without a signature, with one that has expired, and with an unsigned token', async () => {
    const { stored, receive } = webhooksWith('key');
    const expired = await signedBy('key', undefined, undefined, -20);
    const claims = { iss: 'key', sha256: createHash('sha256').update(body).digest('base64'), exp: 9_999_999_999 };
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
    const unsigned = `${encode({ alg: 'none', typ: 'JWT' })}.${encode(claims)}.`;
    for (const signature of ['', 'x.y.z', expired, unsigned])
      await expect(receive(signature)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await expect(receive(await signedBy('key', undefined, undefined, -5))).resolves.toBeUndefined();
    expect(stored).toHaveLength(1);
  });

  it('are refused if the body is not the signed one', async () => {
    const { stored, receive } = webhooksWith('key');
    await expect(receive(await signedBy('key'), `${body} `)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(stored).toEqual([]);
  });

  it.each(['{"event":', '{"event":7}', '[]'])(
    'that are signed but cannot be read, such as %s, get a server error, so that LiveKit retries them',
    async (unread) => {
      const { stored, receive } = webhooksWith('key');
      const failure: unknown = await receive(await signedBy('key', undefined, unread), unread).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(Error);
      // Any error that is not an AppError is logged as an error and answered with 500.
      expect(failure).not.toBeInstanceOf(AppError);
      expect(stored).toEqual([]);
    },
  );
});
