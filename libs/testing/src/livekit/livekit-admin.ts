import { AccessToken, RoomServiceClient, type VideoGrant } from 'livekit-server-sdk';
import type { RunningStack } from '../running-stack.js';
import { signWebhook } from './simulator/tokens.js';

/** LiveKit's own API with a stack's key: for checks, and for what another client could do to our rooms. */
export const liveKitAdmin = (stack: RunningStack, timeoutSeconds = 4) =>
  new RoomServiceClient(stack.urls.livekit, stack.secrets['livekitApiKey'], stack.secrets['livekitApiSecret'], {
    requestTimeout: timeoutSeconds,
    failover: false,
  });

export async function liveKitRoomNames(stack: RunningStack): Promise<string[]> {
  return (await liveKitAdmin(stack).listRooms()).map(({ name }) => name).sort();
}

export async function liveKitToken(stack: RunningStack, identity: string, grant: VideoGrant): Promise<string> {
  const token = new AccessToken(stack.secrets['livekitApiKey'], stack.secrets['livekitApiSecret'], { identity, name: identity, ttl: 3600 });
  token.addGrant({ roomJoin: true, ...grant });
  return token.toJwt();
}

/** Posts a webhook with LiveKit's signature, so that the test controls order and timing. Resolves to the status of the answer. */
export async function postWebhook(stack: RunningStack, event: object): Promise<number> {
  const body = JSON.stringify(event);
  const { livekitApiKey = '', livekitApiSecret = '' } = stack.secrets;
  const answer = await fetch(`${stack.urls.gateway}/livekit/webhook`, {
    method: 'POST',
    headers: { authorization: signWebhook(body, livekitApiKey, livekitApiSecret), 'content-type': 'application/webhook+json' },
    body,
  });
  await answer.arrayBuffer();
  return answer.status;
}
