import fastifyStatic from '@fastify/static';
import { AppError } from '@classroom/contracts';
import type { FastifyInstance } from 'fastify';
import { sendError } from './envelope.js';

/** File names as the page's build creates them, in one folder. */
const ASSET_PATH = /^\/assets\/[\w-][\w.-]{0,199}(?:\?|$)/;

/** The class page's files, compressed if its build compressed them. Their names contain a hash, so they never change. */
export async function registerAssets(fastify: FastifyInstance, root: string): Promise<void> {
  await fastify.register(async (scope) => {
    // For a path that leads elsewhere or to no file, the plugin has errors of its own, which would count as faults.
    scope.addHook('onRequest', (request, reply, done) => {
      if (ASSET_PATH.test(request.url)) done();
      else sendError(request, reply, new AppError('NOT_FOUND'));
    });
    await scope.register(fastifyStatic, { root, prefix: '/assets/', index: false, immutable: true, maxAge: '365d', preCompressed: true });
  });
}
