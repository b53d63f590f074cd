import fastifyStatic from '@fastify/static';
import { AppError } from '@classroom/contracts';
import type { FastifyInstance } from 'fastify';
import { sendError } from './endpoint.js';

/** File names as a page's build creates them: in one folder, or below one in it that has a version in its name. */
const FILE_NAME = /^(?:[\w-]{1,99}-\d+\.\d+\.\d+\/(?:[\w-]{1,99}\/){0,2})?[\w-][\w.-]{0,199}(?:\?|$)/;

/** A page's files, compressed if its build compressed them. Their names contain a hash, so they never change. @param prefix path of the folder, `/…/` */
export async function registerAssets(fastify: FastifyInstance, root: string, prefix: string): Promise<void> {
  await fastify.register(async (scope) => {
    // For a path that leads elsewhere or to no file, the plugin has errors of its own, which would count as faults.
    scope.addHook('onRequest', (request, reply, done) => {
      if (request.url.startsWith(prefix) && FILE_NAME.test(request.url.slice(prefix.length))) done();
      else sendError(request, reply, new AppError('NOT_FOUND'));
    });
    await scope.register(fastifyStatic, {
      root,
      prefix,
      index: false,
      immutable: true,
      maxAge: '365d',
      preCompressed: true,
      decorateReply: !fastify.hasReplyDecorator('sendFile'),
    });
  });
}

/** Adds data to a page, which reads it from a meta element: no inline script is allowed to carry it. */
export const withMeta = (html: string, name: string, data: unknown): string =>
  html.replace('</head>', () => `<meta name="${name}" content="${escapeHtml(JSON.stringify(data))}"></head>`);

const ENTITIES: Record<string, string> = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' };
/** Text as it is written in an element or an attribute. */
export const escapeHtml = (text: string): string => text.replaceAll(/[&"<>]/g, (character) => ENTITIES[character] ?? character);
