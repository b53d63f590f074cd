import { AccessToken } from 'livekit-server-sdk';
import type { RecordingConfig } from '../config.js';

/**
 * Longer than any recording: LiveKit renews the token of a participant who stays connected, but not of one who reconnects after
 * LiveKit restarts.
 */
const TTL_SECONDS = 12 * 3600;

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
