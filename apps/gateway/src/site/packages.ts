import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { AppError } from '@classroom/contracts';
import { sendError } from '../http/envelope.js';
import { version } from '../version.js';

const PATH = '/packages/';
/** Archives for npm and pip. */
const FILE_NAME = /^[\w-][\w.-]{0,199}\.(?:tgz|whl)$/;

/**
 * Serves the clients, the command line and the web component of this version to npm and pip. The page at the path links each: pip reads it with
 * `--find-links`.
 */
export function registerPackages(fastify: FastifyInstance, root: string): void {
  const list = async () => (await readdir(root).catch(() => [])).filter((name) => FILE_NAME.test(name)).sort();
  fastify.get('/packages', async (_, reply) => reply.redirect(PATH, 301));
  fastify.get(PATH, async (_, reply) => {
    reply.header('content-security-policy', `default-src 'none'; frame-ancestors 'none'`).header('cache-control', 'no-cache');
    return reply.type('text/html; charset=utf-8').send(pageOf(await list()));
  });
  fastify.get<{ Params: { name: string } }>(`${PATH}:name`, async (request, reply) => {
    const { name } = request.params;
    if (!(await list()).includes(name)) return sendError(request, reply, new AppError('NOT_FOUND'));
    reply.type(name.endsWith('.tgz') ? 'application/gzip' : 'application/zip').header('cache-control', 'no-cache');
    return reply.send(await readFile(join(root, name)));
  });
}

const pageOf = (names: readonly string[]): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Virtual Classroom ${version}</title>
<h1>Virtual Classroom ${version}</h1>
${names.map((name) => `<p><a href="${PATH}${name}">${name}</a></p>`).join('\n')}
</html>`;
