import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { slugOf } from '../../tools/docs/pages.ts';
import { REPO } from '../../tools/stack/context.ts';

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

/**
 * The guides and the operations come first, and an error code or a variable is one word. These functions run in the reader's browser, where nothing else of this file is.
 */
export const miniSearch = {
  options: { tokenize: (text: string) => text.split(/[^\p{L}\p{N}_]+/u).filter((word) => word !== '') },
  searchOptions: {
    boostDocument: (id: string) =>
      /^\/guides\/(?:api|concepts|quickstarts|recipes|sandbox)/.test(id)
        ? 5
        : /^\/(?:guides\/|api-reference)/.test(id)
          ? 3
          : /^\/(?:adr|apps|libs|test|tools)\//.test(id)
            ? 0.3
            : 1,
  },
};
