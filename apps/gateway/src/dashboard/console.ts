import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@classroom/contracts';
import { logger } from '@classroom/platform';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { GatewayConfig } from '../config.js';
import { registerAssets, withMeta } from '../http/pages.js';
import { sendError } from '../http/endpoint.js';

/** Everything is from this origin, and no page may frame these: they show what a credential in the tab allows. */
const POLICY = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self'`,
  `font-src 'self'`,
  `img-src 'self' data: blob:`,
  `connect-src 'self'`,
  // The player of stored videos.
  `frame-src 'self'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

const links = z.array(z.object({ name: z.string(), url: z.url() }));
type Settings = Pick<GatewayConfig, 'CONSOLE_ASSETS' | 'CLASSROOM_URL' | 'DEPLOYMENT' | 'LANDING_LINKS'>;

/**
 * Serves the console at `/console`, also for the addresses of its pages below, and a page at `/` for browsers. Any other client gets the 404 that
 * `/` always was.
 */
export async function registerConsole(fastify: FastifyInstance, settings: Settings): Promise<void> {
  const { CONSOLE_ASSETS: folder, DEPLOYMENT: deployment } = settings;
  if (folder === undefined) return;
  const isLocal = deployment === 'local';
  await registerAssets(fastify, join(folder, 'assets'), '/console/assets/');
  const page = async (name: string, meta: string, data: unknown, reply: FastifyReply) => {
    const html = await readFile(join(folder, name), 'utf8');
    reply.header('content-security-policy', POLICY).header('referrer-policy', 'no-referrer').header('cache-control', 'no-store');
    // No page that opens these, or that these open, reaches the window.
    reply.header('cross-origin-opener-policy', 'same-origin');
    return reply.type('text/html; charset=utf-8').send(withMeta(html, meta, data));
  };

  const shell = async (_: FastifyRequest, reply: FastifyReply) =>
    page('index.html', 'console', { publicUrl: settings.CLASSROOM_URL }, reply);
  for (const path of ['/console', '/console/*']) fastify.get(path, shell);

  fastify.get('/', async (request, reply) => {
    reply.header('vary', 'Accept');
    if (!acceptsHtml(request.headers.accept)) return sendError(request, reply, new AppError('NOT_FOUND'));
    return page('landing.html', 'landing', isLocal ? { links: await readLinks(settings.LANDING_LINKS) } : {}, reply);
  });
}

/** Whether a browser asks. An API client accepts anything, or JSON. */
export const acceptsHtml = (accept = ''): boolean => accept.split(',').some((type) => type.split(';', 1)[0]?.trim() === 'text/html');

/** The links of the launcher, which writes them once everything runs. */
async function readLinks(file: string | undefined): Promise<z.infer<typeof links>> {
  if (file === undefined) return [];
  try {
    return links.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    logger.debug({ err: error }, 'there are no links for the landing page');
    return [];
  }
}
