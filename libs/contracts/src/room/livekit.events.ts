import { z } from 'zod';
import { defineEndpoint, envelope } from '../kernel/http.js';
import { partitionOf } from '../kernel/events.js';

/**
 * `room_started` becomes `livekit.room.started.<pNN>`: a consumer filters on the noun. `roomName` is our sid, or
 * whatever a webhook about no room of ours names.
 */
export function liveKitSubject(event: string, roomName: string): string {
  const separator = event.indexOf('_');
  const noun = separator < 0 ? event : event.slice(0, separator);
  const verb = separator < 0 ? 'happened' : event.slice(separator + 1);
  return `livekit.${noun}.${verb}.${partitionOf(roomName)}`;
}

/** LiveKit posts here; its signature over the raw body is its authentication. */
export const receiveLiveKitWebhook = defineEndpoint({
  operationId: 'receiveLiveKitWebhook',
  summary: 'LiveKit’s webhooks',
  tag: 'Media plane',
  route: 'POST /livekit/webhook',
  auth: 'livekit',
  response: envelope(z.object({ received: z.literal(true) })),
});
