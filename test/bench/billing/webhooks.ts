import { createHash, createHmac, randomUUID } from 'node:crypto';
import { request } from './requests.ts';

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const HEADER = base64url({ alg: 'HS256' });
const VALID_S = 300;

/** Signs a webhook as LiveKit does: with a token that contains the body's hash. */
function sign({ key, secret }: { key: string; secret: string }, body: string) {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: key, nbf: now, exp: now + VALID_S, sha256: createHash('sha256').update(body).digest('base64') };
  const signed = `${HEADER}.${base64url(claims)}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

const bodyOf = (event: string, sid: string, createdAt: number, participant: object) =>
  JSON.stringify({
    event,
    id: `EV_${randomUUID()}`,
    createdAt: String(createdAt),
    room: { sid: `${sid}-media`, name: sid, emptyTimeout: 600, creationTime: String(createdAt) },
    participant,
  });

/**
 * Two webhooks per participant, one for joining and one for leaving. Rooms alternate; within a room the order is that of the events.
 * @param people number of participants in each room
 * @returns the request bodies
 */
export function joinsAndLeaves(sids: readonly string[], people: number): string[] {
  const now = Math.floor(Date.now() / 1000);
  const pairs = Array.from({ length: people }, (_, number) => sids.map((sid) => ({ sid, number }))).flat();
  const participants = pairs.map(({ sid, number }) => ({
    sid,
    info: {
      sid: `PA_${randomUUID().slice(0, 13)}`,
      identity: `student-${number}`,
      name: `Student ${number}`,
      joinedAt: String(now),
      joinedAtMs: String(now * 1000),
      attributes: { role: 'STUDENT' },
      // Those of a student's token. With others, the room service would correct each participant in LiveKit.
      permission: { canSubscribe: true, canPublish: false, canPublishData: false },
      version: 3,
    },
  }));
  return [
    ...participants.map(({ sid, info }) => bodyOf('participant_joined', sid, now, { ...info, state: 'ACTIVE' })),
    ...participants.map(({ sid, info }) =>
      bodyOf('participant_left', sid, now + 30, { ...info, state: 'DISCONNECTED', disconnectReason: 'CLIENT_INITIATED' }),
    ),
  ];
}

export const toRequests = (credentials: { key: string; secret: string }, bodies: readonly string[]) =>
  bodies.map((body) =>
    request('POST', '/livekit/webhook', { 'content-type': 'application/webhook+json', authorization: sign(credentials, body) }, body),
  );
