import { AppError, type Participant } from '@classroom/contracts';
import type { RoomConfig } from '../config.js';
import { plannedEnd } from '../rooms/schedule.js';
import type { TokenValidity } from '../livekit/join-token.js';
import type { WithSettings } from '../schema/settings.js';

const FURTHEST_MS = 366 * 86_400_000;

/**
 * When a join token can be used: as the request says; otherwise for JOIN_TOKEN_TTL_SECONDS, in a room with a schedule from its planned end.
 * @throws AppError VALIDATION_FAILED
 */
export function validityOf(
  { JOIN_TOKEN_TTL_SECONDS }: Pick<RoomConfig, 'JOIN_TOKEN_TTL_SECONDS'>,
  room: WithSettings,
  { notBefore, expiresIn }: Pick<Participant, 'notBefore' | 'expiresIn'>,
  now: Date,
): TokenValidity {
  const from = Math.max(now.getTime(), notBefore ? Date.parse(notBefore) : 0);
  if (from - now.getTime() > FURTHEST_MS)
    throw new AppError('VALIDATION_FAILED', { details: [{ path: 'participant.notBefore', message: 'must be at most 366 days from now' }] });
  const until = expiresIn ? from : Math.max(from, plannedEnd(room)?.getTime() ?? 0);
  return { notBefore: new Date(from), expiresAt: new Date(until + (expiresIn ?? JOIN_TOKEN_TTL_SECONDS) * 1000) };
}
