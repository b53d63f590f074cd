import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import scalar from '@scalar/fastify-api-reference';
import { fastify } from 'fastify';
import { addressOfTarget, linkedFiles } from '../../tools/docs/links.ts';
import { REPO } from '../../tools/stack/context.ts';

/** What the site serves as it is. Written before each build. */
export const PUBLIC = join(REPO, 'docs', '.vitepress', 'public');

function write(address: string, content: string): void {
  const file = join(PUBLIC, address);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/** The renderer that the gateway serves at `/docs`. Its package has the script only inside its plugin. */
async function referenceScript(): Promise<string> {
  const app = fastify();
  await app.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } });
  const { statusCode, body } = await app.inject('/docs/js/scalar.js');
  await app.close();
  if (statusCode !== 200) throw new Error(`The package of the reference has no script: ${statusCode}.`);
  // The placeholder of a credential, which looks like a leaked one.
  return body.replaceAll('QUxMIFlPVVIgQkFTRSBBUkUgQkVMT05HIFRPIFVT', '');
}

/** A copy of a source that a page links to, or the list of a folder and copies of its files. */
function publish(target: string): void {
  const path = join(REPO, target);
  if (!statSync(path).isDirectory()) return write(addressOfTarget(target), readFileSync(path, 'utf8'));
  const names = readdirSync(path).filter((name) => name !== 'node_modules' && name !== 'dist');
  const lines = names.map((name) => {
    publish(join(target, name));
    return `<li><a href="${addressOfTarget(join(target, name))}">${name}</a></li>`;
  });
  write(
    addressOfTarget(target),
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${target}</title><h1>${target}</h1><ul>${lines.join('')}</ul></html>\n`,
  );
}

/** The package's own build, whose parts the browser loads as a diagram needs them. Bundling it again would take minutes. */
function copyMermaid(): void {
  const from = dirname(fileURLToPath(import.meta.resolve('mermaid/dist/mermaid.esm.min.mjs')));
  const parts = join('chunks', 'mermaid.esm.min');
  for (const name of ['mermaid.esm.min.mjs', parts])
    cpSync(join(from, name), join(PUBLIC, 'mermaid', name), { recursive: true, filter: (file) => !file.endsWith('.map') });
  write('mermaid/load.mjs', `import mermaid from './mermaid.esm.min.mjs';\nwindow.mermaid = mermaid;\n`);
}

export async function writePublic(): Promise<void> {
  rmSync(PUBLIC, { recursive: true, force: true });
  copyMermaid();
  write('reference/scalar.js', await referenceScript());
  const documents = join(REPO, 'docs', 'reference');
  cpSync(documents, join(PUBLIC, 'reference'), {
    recursive: true,
    filter: (file) => file === documents || basename(file).endsWith('.json'),
  });
  for (const target of linkedFiles()) publish(target);
}
