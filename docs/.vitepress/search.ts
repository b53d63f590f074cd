import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { slugOf } from '../../tools/docs/pages.ts';
import { REPO } from '../../tools/stack/paths.ts';

interface OpenApi {
  paths: Record<string, Record<string, { operationId: string; summary: string; description?: string; tags: string[] }>>;
}

/** The operations of a document as sections, under the anchors that the reference gives them: the site's search finds each. */
function operationsOf(document: string): string {
  const { paths } = JSON.parse(readFileSync(join(REPO, 'docs', 'reference', document), 'utf8')) as OpenApi;
  const sections = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([
        method,
        {
          operationId,
          summary,
          description,
          tags: [tag = ''],
        },
      ]) =>
        `<h2>${summary} <a href="#tag/${slugOf(tag)}/${method.toUpperCase()}${path}">#</a></h2><p>${method.toUpperCase()} ${path} ${operationId}. ${description ?? ''}</p>`,
    ),
  );
  return sections.join('\n');
}

/** @returns what the search reads of a page */
export function renderForSearch<Env>(source: string, env: Env, md: { render(source: string, env: Env): string }): string {
  const html = md.render(source, env);
  const [, document] = /<ApiReference document="([^"]+)"/.exec(source) ?? [];
  return document ? `${html}\n${operationsOf(document)}` : html;
}
