import { z } from 'zod';
import { PUBLIC_EVENTS, publicEvent } from '../organization/public-events.js';
import { answerSchema, type JsonSchema } from './schema.js';

const HEADERS = [
  ['webhook-id', 'The event’s id: the same however often it is sent.'],
  ['webhook-timestamp', 'When this attempt was made, in seconds since 1970.'],
  ['webhook-signature', 'Standard Webhooks: `v1,` and the HMAC in base64, several of them while a secret is changed.'],
] as const;

const parameters = HEADERS.map(([name, description]) => ({ name, in: 'header', required: true, description, schema: { type: 'string' } }));

/**
 * The requests to an organization's webhook endpoints, by event type, in OpenAPI form.
 * @param named receives the named objects in them
 */
export const webhooks = (named: Record<string, JsonSchema>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(PUBLIC_EVENTS).map(([type, data]) => [
      type,
      {
        post: {
          operationId: `on ${type}`.replaceAll(/[ ._](\w)/g, (_, letter: string) => letter.toUpperCase()),
          summary: type,
          description: data.description,
          tags: ['Webhook endpoints'],
          security: [],
          parameters,
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: answerSchema(publicEvent.extend({ type: z.literal(type).describe('Type of the event.'), data }), named),
              },
            },
          },
          responses: {
            '2XX': { description: 'Taken. Anything else, or nothing in 15 s, is tried again for a day.' },
            '410': { description: 'Not wanted any more: the endpoint is switched off.' },
          },
        },
      },
    ]),
  );
