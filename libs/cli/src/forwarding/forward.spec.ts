import { verifyWebhook, WebhookVerificationError, type HistoryEvent } from '@virtual-classroom/sdk';
import { isDelivered, isSecret, newSecret, webhookOf } from './forward.js';

const EVENT: HistoryEvent = {
  id: 'evt_1',
  type: 'room.created',
  timestamp: '2026-01-15T10:00:00.000Z',
  sequence: 7,
  data: { roomId: 'geometry-7b', sid: 'RM_1', title: 'Géométrie 👩‍🏫', createdAt: '2026-01-15T10:00:00.000Z' },
};

describe('a forwarded event', () => {
  it('is accepted by the SDK’s verification, with the secret of this run only', () => {
    const secret = newSecret();
    const { body, headers } = webhookOf(EVENT, secret);
    const received = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    expect(verifyWebhook(Buffer.from(body), received, secret)).toEqual(EVENT);
    expect(() => verifyWebhook(body, received, newSecret())).toThrow(WebhookVerificationError);
    expect(headers['content-length']).toBe(new TextEncoder().encode(body).length);
  });

  it.each([
    [{ status: 204, error: null }, true],
    [{ status: 299, error: null }, true],
    [{ status: 302, error: null }, false],
    [{ status: 500, error: null }, false],
    [{ status: null, error: 'connect ECONNREFUSED' }, false],
  ])('is delivered if the answer is 2xx: %j', (outcome, delivered) => {
    expect(isDelivered({ ...outcome, durationMs: 1 })).toBe(delivered);
  });
});

it.each([
  [newSecret(), true],
  ['whsec_', false],
  ['whsec_c2hvcnQ=', false],
  ['twenty-four bytes and no prefix', false],
])('a signing secret is checked: %s', (text, valid) => expect(isSecret(text)).toBe(valid));
