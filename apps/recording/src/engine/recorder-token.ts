import { AccessToken } from 'livekit-server-sdk';
import type { RecordingConfig } from '../config.js';

/**
 * Until the page has joined, which takes 30 s at most, with clocks that differ. LiveKit renews the token at once and every five minutes, for ten, and the page reconnects
 * with the renewed one, also after LiveKit restarted.
 */
const TTL_SECONDS = 5 * 60;

/** The holder sees and hears everyone, is hidden, and takes no place in a full class (LiveKit's kind EGRESS). */
export function signRecorderToken(
  { LIVEKIT_API_KEY, LIVEKIT_API_SECRET }: Pick<RecordingConfig, 'LIVEKIT_API_KEY' | 'LIVEKIT_API_SECRET'>,
  sid: string,
  identity: string,
): Promise<string> {
  const token = new AccessToken(LIVEKIT_API_KEY, LIVEKIT_API_SECRET, { identity, ttl: TTL_SECONDS });
  token.kind = 'egress';
  token.addGrant({
    room: sid,
    roomJoin: true,
    hidden: true,
    recorder: true,
    canSubscribe: true,
    canPublish: false,
    canPublishData: false,
    canUpdateOwnMetadata: false,
  });
  return token.toJwt();
}
