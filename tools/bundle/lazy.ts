import fs from 'node:fs';
import { createRequire } from 'node:module';

/** An import as TypeScript compiles it. Nothing else has such a name. */
const IMPORT = /^(?:const|var) (\w+_\d+) = ((?:(?:\w+\.)?__import(?:Default|Star)\()?require\("[^"]+"\)\)?);$/gm;
/** Telemetry imports the exporters of all protocols. */
const TELEMETRY = /\/node_modules\/@opentelemetry\/sdk-node\//;
const TELEMETRY_IMPORT = /^let (\w+) = (require\("[^"]+"\));$/gm;
/** `export * from` as TypeScript compiles it. */
const EXPORT_ALL = /^(?:\w+\.)?__exportStar\((require\("([^"]+)"\)), exports\);$/gm;
const EXPORT = /\bexports\.(\w+) = |\bObject\.defineProperty\(exports, "(\w+)"/g;

/**
 * Loads what a compiled module imports when it is first used. An app uses a part of what its modules import, and less of it at its start.
 * @param file of the module
 */
export function importLazily(code: string, file: string): string {
  const declaration = TELEMETRY.test(file) ? TELEMETRY_IMPORT : IMPORT;
  const calls = new Map([...code.matchAll(declaration)].map(([, name = '', call = '']) => [name, call]));
  const use = (text: string): string =>
    text.replaceAll(/(?<!^var |(?<!\.\.)\.|[$\w])\w+/gm, (name) => (calls.has(name) ? `(${name} ??= ${use(calls.get(name)!)})` : name));
  return calls.size === 0 ? code : use(code.replaceAll(declaration, 'var $1;'));
}

/** As `importLazily`, for the modules whose exports a module passes on. */
export function exportLazily(code: string, file: string): string {
  const names = namesIn(code);
  return code.replaceAll(EXPORT_ALL, (_, call: string, from: string) => {
    const added = exportedNames(createRequire(file).resolve(from)).filter((name) => !names.includes(name));
    names.push(...added);
    return added.map((name) => `Object.defineProperty(exports, "${name}", { enumerable: true, get: () => ${call}.${name} });`).join('\n');
  });
}

const namesIn = (code: string): string[] => [...code.matchAll(EXPORT)].map(([, assigned, defined]) => assigned ?? defined ?? '');

/** @returns the names that a compiled module exports, for `export * from` it */
export function exportedNames(file: string): string[] {
  const code = fs.readFileSync(file, 'utf8');
  const passedOn = [...code.matchAll(EXPORT_ALL)].flatMap(([, , from = '']) => exportedNames(createRequire(file).resolve(from)));
  return [...new Set([...namesIn(code), ...passedOn])].filter((name) => name !== '__esModule' && name !== 'default');
}
