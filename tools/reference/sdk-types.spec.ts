import fs from 'node:fs';
import path from 'node:path';
import { REPO } from '../stack/context.ts';
import type { OpenApi } from './open-api.ts';
import { sdkEntities, sdkTypes } from './sdk-types.ts';
import { typeOf } from './typescript.ts';

const documents = ['openapi.json', 'openapi.internal.json'].map(
  (file) => JSON.parse(fs.readFileSync(path.join(REPO, 'docs', 'reference', file), 'utf8')) as OpenApi,
);

test('the SDK has the operations for backends and operators, not those for participants', () => {
  const types = sdkTypes(documents);
  expect(types).toContain("createRoom: 'POST /v1/room/create'");
  expect(types).toContain("createOrganization: 'POST /v1/admin/organizations'");
  expect(types).not.toMatch(/\/v1\/classroom\/|\/livekit\//);
});

test('the SDK has a type for each named object of an answer, with the description of each field', () => {
  const types = sdkEntities(documents);
  expect(types).toContain('/** A class, with its state. */\nexport interface Room {\n  /** Your id of the room. */\n  roomId: string;');
  expect(types).toContain('export type Balance = PrepaidBalance | PostpaidBalance;');
  expect(types).not.toContain('ClassState');
});

test.each([
  [{}, 'unknown'],
  [{ type: 'integer', minimum: 1 }, 'number'],
  [{ type: ['string', 'null'] }, 'string | null'],
  [{ enum: ['a', "it's", 3, null] }, "'a' | 'it\\'s' | 3 | null"],
  [{ const: true }, 'true'],
  [
    {
      anyOf: [
        { type: 'string', format: 'date' },
        { type: 'string', format: 'date-time' },
      ],
    },
    'string',
  ],
  [{ type: 'array', items: { enum: ['a', 'b'] } }, "('a' | 'b')[]"],
  [
    { type: 'array', items: { type: 'object', properties: { a: { anyOf: [{ type: 'string' }, { type: 'null' }] } }, required: ['a'] } },
    '{ a: string | null }[]',
  ],
  [{ type: 'object', additionalProperties: { type: 'number' } }, 'Record<string, number>'],
  [{ type: 'object', additionalProperties: {} }, 'Record<string, unknown>'],
  [{ type: 'object', properties: { 'a-b': { type: 'string' }, c: { type: 'null' } }, required: ['c'] }, "{ 'a-b'?: string; c: null }"],
  [
    { type: 'object', properties: { a: { type: 'string' } }, allOf: [{ anyOf: [{ not: { required: ['a'] } }, { required: ['b'] }] }] },
    '{ a?: string }',
  ],
  [{ $ref: '#/components/schemas/Room' }, 'Room'],
  [{ anyOf: [{ $ref: '#/components/schemas/Room' }, { type: 'null' }] }, 'Room | null'],
  [{ type: 'array', items: { $ref: '#/components/schemas/Room' } }, 'Room[]'],
])('%j is %s', (schema, type) => {
  expect(typeOf(schema, { Room: { type: 'object' } })).toBe(type);
});

test('a schema that is not referenced is not a type', () => {
  expect(() => typeOf({ $ref: '#/components/schemas/Nothing' }, {})).toThrow('Nothing');
});
