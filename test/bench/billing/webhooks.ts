import { createHash, createHmac, randomUUID } from 'node:crypto';
import { request } from './requests.ts';

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const HEADER = base64url({ alg: 'HS256' });
const VALID_S = 300;

/** A webhook signed as LiveKit signs it: a token that names the body's hash. */
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
 * Everyone comes and everyone goes: two webhooks for each, the rooms in turns, in each room in the order in which it was.
 * @param people in each room
 * @returns bodies
 */
export function comingsAndGoings(sids: readonly string[], people: number): string[] {
  const now = Math.floor(Date.now() / 1000);
  const everybody = Array.from({ length: people }, (_, number) => sids.map((sid) => ({ sid, number }))).flat();
  const participants = everybody.map(({ sid, number }) => ({
    sid,
    info: {
      sid: `PA_${randomUUID().slice(0, 13)}`,
      identity: `student-${number}`,
      name: `Student ${number}`,
      joinedAt: String(now),
      joinedAtMs: String(now * 1000),
      attributes: { role: 'STUDENT' },
      permission: { canSubscribe: true, canPublish: true, canPublishData: true },
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
