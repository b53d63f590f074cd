import { readdir, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { AppError } from '@classroom/contracts';
import { Clock } from '@classroom/platform';
import type { FastifyInstance } from 'fastify';
import type { GatewayConfig } from '../config.js';
import { sendError } from '../http/endpoint.js';
import { escapeHtml } from '../http/pages.js';
import { version } from '../version.js';

const GUIDES = '/guides/';
const PAGE = /^[a-z0-9-]+(?:\/[a-z0-9-]+)*\.html$/;
const LINK = /\[([^[\]\n]+)\]\(([^()\s]+)\)/g;

/**
 * Serves the guides, which the reference links, as the text that their Markdown is, with its links. Their addresses are those of the documentation site.
 * @param root folder of the Markdown files
 */
export function registerGuides(fastify: FastifyInstance, root: string): void {
  fastify.get<{ Params: { '*': string } }>(`${GUIDES}*`, async (request, reply) => {
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
  return `<a href="${isAbsolute ? target : GUIDES + path}${!isAbsolute && anchor ? `#${anchor}` : ''}">${label}</a>`;
}

const PACKAGES = '/packages/';
/** Archives for npm and pip. */
const FILE_NAME = /^[\w-][\w.-]{0,199}\.(?:tgz|whl)$/;

/**
 * Serves the clients, the command line and the web component of this version to npm and pip. The page at the path links each: pip reads it with
 * `--find-links`.
 */
export function registerPackages(fastify: FastifyInstance, root: string): void {
  const list = async () => (await readdir(root).catch(() => [])).filter((name) => FILE_NAME.test(name)).sort();
  fastify.get('/packages', async (_, reply) => reply.redirect(PACKAGES, 301));
  fastify.get(PACKAGES, async (_, reply) => {
    reply.header('content-security-policy', `default-src 'none'; frame-ancestors 'none'`).header('cache-control', 'no-cache');
    return reply.type('text/html; charset=utf-8').send(pageOf(await list()));
  });
  fastify.get<{ Params: { name: string } }>(`${PACKAGES}:name`, async (request, reply) => {
    const { name } = request.params;
    if (!(await list()).includes(name)) return sendError(request, reply, new AppError('NOT_FOUND'));
    reply.type(name.endsWith('.tgz') ? 'application/gzip' : 'application/zip').header('cache-control', 'no-cache');
    return reply.send(await readFile(join(root, name)));
  });
}

const pageOf = (names: readonly string[]): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Virtual Classroom ${version}</title>
<h1>Virtual Classroom ${version}</h1>
${names.map((name) => `<p><a href="${PACKAGES}${name}">${name}</a></p>`).join('\n')}
</html>`;

const SECURITY_TXT = '/.well-known/security.txt';
const DAY_MS = 86_400_000;
/** So long, a reader may rely on a copy. */
const VALID_DAYS = 90;

type Settings = Pick<GatewayConfig, 'CLASSROOM_URL' | 'SECURITY_CONTACT' | 'SECURITY_POLICY'>;

/** RFC 9116: whom to write to about a vulnerability. Undefined without a contact, because there is no default that would be read. */
export function securityTxt(
  { CLASSROOM_URL, SECURITY_CONTACT: contacts, SECURITY_POLICY: policy }: Settings,
  now: Date,
): string | undefined {
  if (contacts === undefined) return undefined;
  const lines = [
    ...contacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${new Date((Math.floor(now.getTime() / DAY_MS) + VALID_DAYS) * DAY_MS).toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${new URL(SECURITY_TXT, CLASSROOM_URL).href}`,
    ...(policy === undefined ? [] : [`Policy: ${policy}`]),
  ];
  return `${lines.join('\n')}\n`;
}

export function registerSecurityTxt(fastify: FastifyInstance, settings: Settings, clock: Clock): void {
  fastify.get(SECURITY_TXT, async (request, reply) => {
    const text = securityTxt(settings, clock.wall());
    if (text === undefined) return sendError(request, reply, new AppError('NOT_FOUND'));
    return reply.type('text/plain; charset=utf-8').header('cache-control', 'public, max-age=86400').send(text);
  });
}
