import fs from 'node:fs';
import path from 'node:path';
import * as reference from '@classroom/api-reference';
import { ORDER } from '@classroom/api-reference';
import * as contracts from '@classroom/contracts';
import { type ErrorCode, ERRORS, HTTP_STATUS } from '@classroom/contracts';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { documents, files, textOf } from './documents.ts';
import { type OpenApi, undescribed } from './open-api.ts';
import { withErrorTable } from './tables.ts';

jest.setTimeout(60_000);

const all = documents({ contracts, reference });
const named = all.map((it) => [path.basename(it.file), it] as const);
const withExample = new Set(
  (Object.values(contracts) as unknown[] as { operationId?: string; example?: object }[])
    .filter((it) => it?.example)
    .map((it) => it.operationId),
);
const operations = (document: OpenApi) => Object.values(document.paths).flatMap((item) => Object.values(item));

test.each(files({ contracts, reference }).map((it) => ({ ...it, name: path.basename(it.file) })))(
  '$name in the repository matches the contracts: npm run generate -- reference writes it',
  ({ file, text }) => {
    expect(fs.readFileSync(file, 'utf8')).toBe(text);
  },
);

describe.each(named)('%s', (_, { file, document }) => {
  test('is an OpenAPI document without linter errors', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source: textOf(document), absoluteRef: file, config });
    expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer})`)).toEqual([]);
  });

  test('describes every property and parameter', () => {
    expect(undescribed(document)).toEqual([]);
  });
});

test('a property or parameter without a description is found, wherever it is', () => {
  const inner = { type: 'array', items: { properties: { a: {}, b: { description: 'It.' } } } };
  const document = {
    paths: { '/p': { get: { parameters: [{ name: 'c' }, { name: 'd', description: 'It.' }] } } },
    components: {
      schemas: { Named: { description: 'It.' }, Bare: { properties: { e: inner, f: { $ref: '#/components/schemas/Named' } } } },
    },
  };
  expect(undescribed(document as unknown as OpenApi)).toEqual([
    '/paths//p/get?c',
    '/components/schemas/Bare/e',
    '/components/schemas/Bare/properties/e/items/a',
  ]);
});

test('the guide to errors has a place for the codes', () => {
  expect(() => withErrorTable('# Errors', contracts)).toThrow('no place');
  const guide = `before\n<!-- errors: written by \`npm run generate -- reference\` -->\nstale\n<!-- /errors -->\nafter\n`;
  const written = withErrorTable(guide, contracts);
  for (const code of Object.keys(ERRORS)) expect(written).toContain(`| \`${code}\` | ${HTTP_STATUS[ERRORS[code as ErrorCode].kind]} |`);
  expect(written).toMatch(/^before\n[^]+after\n$/);
  expect(written).not.toContain('stale');
});

describe('the two references', () => {
  const ids = all.map(({ document }) => operations(document).map(({ operationId }) => operationId));

  test('have every operation once, under a unique name', () => {
    const together = ids.flat();
    expect(new Set(together).size).toBe(together.length);
  });

  test('list every operation in the order of its chapter', () => {
    expect([...ORDER].sort()).toEqual(ids.flat().sort());
    for (const { document } of all) {
      const chapters = operations(document).map(({ tags: [tag] }) => tag);
      expect([...new Set(chapters)]).toEqual(document.tags.map(({ name }) => name));
      expect(document['x-tagGroups'].flatMap(({ tags }) => tags)).toEqual(document.tags.map(({ name }) => name));
    }
  });

  test('keep operations for operators apart from those for schools', () => {
    const texts = all.map(({ document }) => textOf(document));
    expect(texts[0]).not.toMatch(/X-Dispatch-Secret|\/v1\/admin|\/livekit/);
    // Operators read of the header, whose values they create, and do not send it.
    expect(texts[1]).not.toMatch(/"name": "VF-ORG-ID"/);
  });

  test('show an example of every call that a backend makes', () => {
    const bare = all
      .flatMap(({ document }) => operations(document))
      .filter(({ security, operationId }) => security.some((it) => 'credential' in it) && !withExample.has(operationId));
    expect(bare.map(({ operationId }) => operationId)).toEqual([]);
  });
});
