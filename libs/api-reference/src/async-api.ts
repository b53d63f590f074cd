import { pingEvent, PUBLIC_EVENTS, streamEvents } from '@classroom/contracts';
import { z } from 'zod';
import { answerSchema, jsonSchema, propertiesOf, type JsonSchema } from './schema.js';
import { SECURITY_SCHEMES, securityOf } from './security.js';
import { eventSchemas, WEBHOOK_HEADERS } from './webhooks.js';

const DESCRIPTION = `Everything that happens in your organization, as events. They are sent to your webhook endpoints and on the stream of events: the same events with the same ids.
New types and fields may be added: ignore those that you do not know. The calls that create endpoints and read the history are in the API reference, \`openapi.json\`.`;

const gap = z
  .object({
    from: z.number().int().describe('The first sequence that has expired.'),
    to: z.number().int().describe('The last one.'),
  })
  .describe('Events have expired that you had not received. Read the state that you need by the API.');

const ref = (...path: string[]) => ({ $ref: `#/${path.join('/')}` });
const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
/** `room.ending_soon` is described by `RoomEndingSoonEvent`. */
const schemaNameOf = (type: string) => `${type.split(/[._]/).map(capital).join('')}Event`;

/** The webhooks and the stream of events as an AsyncAPI 3.0 document. The same contracts always give the same document. */
export function asyncApi({ version }: { version: string }) {
  const named: Record<string, JsonSchema> = {};
  const events = eventSchemas(named).map(([type, schema]) => ({
    type: type as string,
    schema,
    summary: PUBLIC_EVENTS[type].description ?? '',
  }));
  const ping = { type: 'ping', schema: answerSchema(pingEvent, named), summary: pingEvent.description ?? '' };
  const missed = { type: 'gap', schema: answerSchema(gap, named), summary: gap.description ?? '' };
  const all = [...events, ping, missed];
  const message = ({ type, summary }: { type: string; summary: string }, headers: object) => [
    type,
    {
      name: type,
      title: type,
      summary,
      contentType: 'application/json',
      ...headers,
      payload: ref('components', 'schemas', schemaNameOf(type)),
    },
  ];
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Virtual Classroom events',
      version,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: 'application/json',
    servers: {
      api: {
        host: '{apiHost}',
        protocol: 'https',
        description: 'The API, which has the stream.',
        variables: { apiHost: { description: 'Host of the API.' } },
      },
      endpoint: {
        host: '{endpointHost}',
        protocol: 'https',
        description: 'Your backend, which receives webhooks.',
        variables: { endpointHost: { description: 'Host of your webhook endpoint.' } },
      },
    },
    channels: {
      webhooks: {
        address: null,
        title: 'Webhooks',
        description: 'The `url` of a webhook endpoint that you created.',
        servers: [ref('servers', 'endpoint')],
        messages: Object.fromEntries(
          [...events, ping].map((it) => message(it, { headers: ref('components', 'schemas', 'WebhookHeaders') })),
        ),
      },
      eventStream: {
        address: streamEvents.path,
        title: streamEvents.summary,
        description: streamEvents.description,
        servers: [ref('servers', 'api')],
        messages: Object.fromEntries(
          [...events, missed].map((it) => message(it, { headers: ref('components', 'schemas', 'StreamFields') })),
        ),
      },
    },
    operations: {
      sendWebhook: {
        action: 'send',
        channel: ref('channels', 'webhooks'),
        title: 'Send webhook',
        summary: 'Posts each event to every endpoint that is subscribed to its type.',
        description:
          'An answer of 2xx within 15 seconds takes the event. 410 switches the endpoint off. Anything else is tried again for a day. Each request is signed by Standard Webhooks.',
        bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
      },
      [streamEvents.operationId]: {
        action: 'send',
        channel: ref('channels', 'eventStream'),
        title: streamEvents.summary,
        summary: streamEvents.description,
        security: securityOf(streamEvents).flatMap((scheme) =>
          Object.keys(scheme).map((name) => ref('components', 'securitySchemes', name)),
        ),
        bindings: { http: { method: 'GET', query: queryOf(), bindingVersion: '0.3.0' } },
      },
    },
    components: {
      schemas: {
        ...named,
        ...Object.fromEntries(all.map(({ type, schema, summary }) => [schemaNameOf(type), { description: summary, ...schema }])),
        WebhookHeaders: fieldsOf('The headers of a webhook.', WEBHOOK_HEADERS),
        StreamFields: fieldsOf('The fields of a server-sent event next to its data.', STREAM_FIELDS),
      },
      securitySchemes: Object.fromEntries(
        securityOf(streamEvents)
          .flatMap((scheme) => Object.keys(scheme) as (keyof typeof SECURITY_SCHEMES)[])
          .map((name) => [name, inAsyncApi(SECURITY_SCHEMES[name])]),
      ),
    },
  };
}

const STREAM_FIELDS = [
  ['id', 'The event’s `sequence`. A client that connects again with it as `Last-Event-ID` continues there.'],
  ['event', 'The type of the event.'],
] as const;

const fieldsOf = (description: string, fields: readonly (readonly [string, string])[]) => ({
  type: 'object',
  description,
  properties: Object.fromEntries(fields.map(([name, text]) => [name, { type: 'string', description: text }])),
  required: fields.map(([name]) => name),
});

function queryOf() {
  const properties = propertiesOf(jsonSchema(streamEvents.query, 'input')).map(({ name, schema }) => [name, schema]);
  return { type: 'object', properties: Object.fromEntries(properties) as Record<string, JsonSchema> };
}

/** AsyncAPI calls a key in an HTTP header `httpApiKey`. */
const inAsyncApi = (scheme: (typeof SECURITY_SCHEMES)[keyof typeof SECURITY_SCHEMES]) =>
  scheme.type === 'apiKey' ? { ...scheme, type: 'httpApiKey' } : scheme;
