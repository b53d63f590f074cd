import { Webhook } from 'standardwebhooks';
import { verifyWebhook, WebhookVerificationError, type WebhookEvent } from './webhooks.js';

const SECRET = `whsec_${Buffer.from('twenty-four bytes of it.').toString('base64')}`;
const EVENT = {
  id: 'evt_1',
  type: 'room.finished',
  timestamp: '2026-01-15T10:00:00.000Z',
  sequence: 7,
  data: { roomId: 'geometry-7b', totalSeconds: 90 },
};
const BODY = JSON.stringify(EVENT);

const signed = (body = BODY, secret = SECRET, at = new Date()) => ({
  'webhook-id': EVENT.id,
  'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
  'webhook-signature': new Webhook(secret).sign(EVENT.id, at, body),
});

describe('a webhook', () => {
  it.each([
    ['text, in Node’s headers', BODY, { ...signed(), host: 'school.example', 'set-cookie': ['a', 'b'], 'x-missing': undefined }],
    ['bytes, in the platform’s headers', new TextEncoder().encode(BODY), new Headers(signed())],
    [
      'a Buffer, with headers in capitals',
      Buffer.from(BODY),
      Object.fromEntries(Object.entries(signed()).map(([name, value]) => [name.toUpperCase(), value])),
    ],
  ])('is verified as %s', (_, payload, headers) => {
    const event: WebhookEvent = verifyWebhook(payload, headers, SECRET);
    // The compiler too knows that an event of this type has this field.
    expect(event.type === 'room.finished' && event.data.totalSeconds).toBe(90);
  });

  it('is verified while two secrets sign', () => {
    const now = new Date();
    const other = signed(BODY, `whsec_${Buffer.from('another one of 24 bytes.').toString('base64')}`, now);
    const headers = { ...other, 'webhook-signature': `${other['webhook-signature']} ${signed(BODY, SECRET, now)['webhook-signature']}` };
    expect(verifyWebhook(BODY, headers, SECRET)).toEqual(EVENT);
  });

  const MINUTES = 60_000;
  it.each([
    ['changed on the way', BODY.replace('90', '91'), signed()],
    ['signed by another sender', BODY, signed(BODY, `whsec_${Buffer.from('another one of 24 bytes.').toString('base64')}`)],
    ['sent again later', BODY, signed(BODY, SECRET, new Date(Date.now() - 6 * MINUTES))],
    ['dated in the future', BODY, signed(BODY, SECRET, new Date(Date.now() + 6 * MINUTES))],
    ['under another id', BODY, { ...signed(), 'webhook-id': 'evt_2' }],
    ['without headers', BODY, {}],
  ])('is refused if it is %s', (_, payload, headers) => {
    expect(() => verifyWebhook(payload, headers, SECRET)).toThrow(WebhookVerificationError);
  });
});
