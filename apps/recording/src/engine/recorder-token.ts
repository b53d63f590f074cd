import { AccessToken } from 'livekit-server-sdk';
import type { RecordingConfig } from '../config.js';

/** Longer than any recording: LiveKit renews the token of who stays, but not of who comes back after its restart. */
const TTL_SECONDS = 12 * 3600;

/** Sees and hears everyone, is seen by nobody, and takes nobody's place in a full class (LiveKit's kind EGRESS). */
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
