import { schemasWithoutId } from '@asyncapi/specs';
import * as reference from '@classroom/api-reference';
import * as contracts from '@classroom/contracts';
import { Ajv, type AnySchema } from 'ajv';
import addFormats from 'ajv-formats';
import { documents, eventsDocument } from './documents.ts';
import { type OpenApi, undescribed } from './open-api.ts';

const document = eventsDocument({ reference });
const { channels, components } = document;

const ajv = new Ajv({ strict: false });
addFormats.default(ajv);
const isAsyncApi = ajv.compile(schemasWithoutId['3.0.0'] as AnySchema);

/** What a reference within the document refers to. */
const found = (ref: string): unknown =>
  ref
    .slice(2)
    .split('/')
    .reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], document);

const refs = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref = '']) => ref);

test('the reference of the events is an AsyncAPI document', () => {
  expect([isAsyncApi(document), isAsyncApi.errors]).toEqual([true, null]);
  const operations = { ...document.operations, sendWebhook: { ...document.operations.sendWebhook, action: 'post' } };
  expect(isAsyncApi({ ...document, operations })).toBe(false);
});

test('its references lead to something', () => {
  expect(refs.length).toBeGreaterThan(50);
  expect(refs.filter((ref) => found(ref) === undefined)).toEqual([]);
});

test('it describes every property', () => {
  expect(undescribed({ paths: {}, components } as unknown as OpenApi)).toEqual([]);
});

test('webhooks and stream have the events that the API reference has, with the same schemas, and one more each', () => {
  const { webhooks = {} } = documents({ contracts, reference })[0]?.document ?? {};
  expect(Object.keys(channels.webhooks.messages)).toEqual([...Object.keys(webhooks), 'ping']);
  expect(Object.keys(channels.eventStream.messages)).toEqual([...Object.keys(webhooks), 'gap']);
  for (const [type, { post }] of Object.entries(webhooks)) {
    const { payload } = channels.webhooks.messages[type] as { payload: { $ref: string } };
    expect(found(payload.$ref)).toMatchObject(post.requestBody.content['application/json']?.schema as object);
  }
});

test('an event as the service sent it matches its message', () => {
  const [history] = documents({ contracts, reference }).map(
    (it) => it.document.paths['/v1/events']?.['get']?.responses['200'].content['application/json'],
  );
  const { events } = (history as unknown as { example: { data: { events: contracts.PublicEvent[] } } }).example.data;
  expect(events.length).toBeGreaterThan(0);
  for (const event of events) {
    const { payload } = channels.eventStream.messages[event.type] as { payload: { $ref: string } };
    const matches = new Ajv({ strict: false, formats: { 'date-time': true } }).compile({ ...payload, components } as AnySchema);
    expect([event.type, matches(event)]).toEqual([event.type, true]);
    expect(matches({ ...event, data: {} })).toBe(false);
  }
});
