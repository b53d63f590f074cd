import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { AppError } from '@classroom/contracts';
import type { FastifyInstance } from 'fastify';
import { sendError } from '../http/envelope.js';
import { escapeHtml } from '../http/pages.js';

const PATH = '/guides/';
const PAGE = /^[a-z0-9-]+(?:\/[a-z0-9-]+)*\.html$/;
const LINK = /\[([^[\]\n]+)\]\(([^()\s]+)\)/g;

/**
 * Serves the guides, which the reference links, as the text that their Markdown is, with its links. Their addresses are those of the documentation site.
 * @param root folder of the Markdown files
 */
export function registerGuides(fastify: FastifyInstance, root: string): void {
  fastify.get<{ Params: { '*': string } }>(`${PATH}*`, async (request, reply) => {
    const page = request.params['*'];
    const text = PAGE.test(page) ? await readFile(join(root, page.replace(/html$/, 'md')), 'utf8').catch(() => undefined) : undefined;
    if (text === undefined) return sendError(request, reply, new AppError('NOT_FOUND'));
    reply.header('content-security-policy', `default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'`);
    return reply.type('text/html; charset=utf-8').send(htmlOf(text, page));
  });
}

function htmlOf(markdown: string, page: string): string {
  const text = escapeHtml(markdown);
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${/^# (.*)$/m.exec(text)?.[1] ?? ''}</title>
<style>:root { color-scheme: light dark } pre { max-width: 70rem; margin: 1rem auto; white-space: pre-wrap; overflow-wrap: anywhere; font: 1rem/1.5 ui-monospace, monospace }</style>
<main><pre>${text.replaceAll(LINK, (whole, label: string, target: string) => linkOf(label, target, page) ?? whole)}</pre></main></html>
`;
}

/** Undefined for what is not among the guides. */
function linkOf(label: string, target: string, page: string): string | undefined {
  const isAbsolute = target.startsWith('https://');
  const [file = '', anchor] = target.split('#');
  const path = isAbsolute ? target : posix.join(posix.dirname(page), file).replace(/\.md$/, '.html');
  if (!isAbsolute && !PAGE.test(path)) return undefined;
  return `<a href="${isAbsolute ? target : PATH + path}${!isAbsolute && anchor ? `#${anchor}` : ''}">${label}</a>`;
}
