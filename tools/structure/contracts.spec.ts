import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { sourcesOf } from './folders.ts';
import { packages, ROOT } from './packages.ts';

const IMPORTS_ALL = /import \* as \w+ from '@classroom\/contracts'/;

describe('the contracts', () => {
  // An app loads a module of them when it first uses it. A namespace import of all loads all, which delays the first request.
  it('are imported by name, except by the gateway, which serves them all', () => {
    const files = packages().flatMap(({ src }) => sourcesOf(src));
    const found = files.filter((file) => IMPORTS_ALL.test(readFileSync(file, 'utf8')));
    expect(found.map((file) => relative(ROOT, file))).toEqual(['apps/gateway/src/operations/operations.controller.ts']);
  });
});
