import { PUBLIC_EVENTS, publicEvent, type PublicEventType } from '@classroom/contracts';
import { z } from 'zod';
import { answerSchema, type JsonSchema } from './schema.js';

/** The headers of every webhook, with their descriptions. */
export const WEBHOOK_HEADERS = [
  ['webhook-id', 'The event’s id: the same however often it is sent.'],
  ['webhook-timestamp', 'When this attempt was made, in seconds since 1970.'],
  ['webhook-signature', 'Standard Webhooks: `v1,` and the HMAC in base64, several of them while a secret is changed.'],
] as const;

const parameters = WEBHOOK_HEADERS.map(([name, description]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
}));

/**
 * The schema of each type's event, as the body of a webhook, in the history and in the stream.
 * @param named receives the named objects in them
 */
export const eventSchemas = (named: Record<string, JsonSchema>): [PublicEventType, JsonSchema][] =>
  Object.entries(PUBLIC_EVENTS).map(([type, data]) => [
    type as PublicEventType,
    answerSchema(publicEvent.extend({ type: z.literal(type).describe('Type of the event.'), data }), named),
  ]);

/**
 * The requests to an organization's webhook endpoints, by event type, in OpenAPI form.
 * @param named receives the named objects in them
 */
export const webhooks = (named: Record<string, JsonSchema>): Record<string, unknown> =>
  Object.fromEntries(
    eventSchemas(named).map(([type, schema]) => [
      type,
      {
        post: {
          operationId: `on ${type}`.replaceAll(/[ ._](\w)/g, (_, letter: string) => letter.toUpperCase()),
          summary: type,
          description: PUBLIC_EVENTS[type].description,
          tags: ['Webhook endpoints'],
          security: [],
          parameters,
          requestBody: { required: true, content: { 'application/json': { schema } } },
          responses: {
            '2XX': { description: 'Taken. Anything else, or nothing in 15 s, is tried again for a day.' },
            '410': { description: 'Not wanted any more: the endpoint is switched off.' },
          },
        },
      },
    ]),
  );
