import { z } from 'zod';
import { defineEndpoint, envelope } from '../kernel/http.js';
import { partitionOf } from '../kernel/events.js';

/**
 * `room_started` becomes `livekit.room.started.<pNN>`, so that a consumer can filter by the noun. `roomName` is our sid, or any
 * name if the webhook is not about one of our rooms.
 */
export function liveKitSubject(event: string, roomName: string): string {
  const separator = event.indexOf('_');
  const noun = separator < 0 ? event : event.slice(0, separator);
  const verb = separator < 0 ? 'happened' : event.slice(separator + 1);
  return `livekit.${noun}.${verb}.${partitionOf(roomName)}`;
}

/** LiveKit posts its webhooks here. They are authenticated by their signature over the raw body. */
export const receiveLiveKitWebhook = defineEndpoint({
  operationId: 'receiveLiveKitWebhook',
  summary: 'Receive LiveKit webhook',
  description: 'Receives a webhook from LiveKit, stores it and answers.',
  tag: 'Media plane',
  route: 'POST /livekit/webhook',
  auth: 'livekit',
  response: envelope(z.object({ received: z.literal(true).describe('Always `true`.') })),
});
