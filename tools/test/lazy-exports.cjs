'use strict';

/**
 * Compiles the `index.ts` of a library so that it loads a file when one of its exports is first used. Jest loads a library again for each test
 * file, and a test uses little of it: loading all of it took more than half of a test's own processor time. No product does this: @swc/jest can
 * only delay imports, not `export *`.
 */
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { parseSync } = require('@swc/core');

const sourceOf = (from, specifier) => path.join(path.dirname(from), specifier.replace(/\.js$/, '.ts'));

const namesIn = (declaration) => {
  if (declaration.declare) return [];
  if (declaration.type === 'VariableDeclaration') return declaration.declarations.flatMap(({ id }) => namesInPattern(id));
  return ['ClassDeclaration', 'FunctionDeclaration', 'TsEnumDeclaration'].includes(declaration.type)
    ? [(declaration.identifier ?? declaration.id).value]
    : [];
};

const namesInPattern = (pattern) => {
  if (pattern.type === 'Identifier') return [pattern.value];
  if (pattern.type === 'ArrayPattern') return pattern.elements.filter(Boolean).flatMap(namesInPattern);
  return pattern.properties.flatMap((property) => (property.key ? [property.key.value] : []));
};

/** @returns the values that a file exports: the name of each there, its file, and its name in that file */
function exportsOf(file, text = fs.readFileSync(file, 'utf8')) {
  const { body } = parseSync(text, { syntax: 'typescript', tsx: file.endsWith('x'), decorators: true });
  return body.flatMap((item) => {
    if (item.type === 'ExportDeclaration') return namesIn(item.declaration).map((name) => ({ name, file, from: name }));
    if (item.type === 'ExportAllDeclaration') return exportsOf(sourceOf(file, item.source.value));
    if (item.type !== 'ExportNamedDeclaration' || item.typeOnly) return [];
    const target = item.source ? sourceOf(file, item.source.value) : file;
    return item.specifiers
      .filter(({ isTypeOnly }) => !isTypeOnly)
      .map(({ orig, exported }) => ({ name: (exported ?? orig).value, file: target, from: orig.value }));
  });
}

function compile(text, file) {
  const exported = exportsOf(file, text).map(({ name, file: target, from }) => JSON.stringify([name, target, from]));
  return `Object.defineProperty(exports, '__esModule', { value: true });
for (const [name, file, from] of [
${exported.join(',\n')}
]) {
  const get = () => {
    const value = require(file)[from];
    // Files that import each other may ask too early.
    if (value !== undefined) Object.defineProperty(exports, name, { enumerable: true, value });
    return value;
  };
  Object.defineProperty(exports, name, { configurable: true, enumerable: true, get });
}
`;
}

module.exports = {
  process: (text, file) => ({ code: compile(text, file) }),
  // What is compiled depends on the files that the index names, too.
  getCacheKey: (text, file) =>
    createHash('sha256')
      .update(`1\n${compile(text, file)}`)
      .digest('hex'),
};
