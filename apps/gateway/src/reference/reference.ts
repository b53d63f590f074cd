import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import scalar from '@scalar/fastify-api-reference';
import { openApi } from '@classroom/contracts';
import type { FastifyInstance } from 'fastify';
import { endpoints } from '../http/endpoint.js';

const { version } = JSON.parse(readFileSync(join(__dirname, '..', '..', 'package.json'), 'utf8')) as { version: string };

/**
 * What this gateway serves to the public, at `/openapi.json` as a document and at `/docs` as a page with a try-out. All of the
 * page comes from us, and it talks to nobody else.
 */
export async function registerReference(fastify: FastifyInstance): Promise<void> {
  // Made for the first who asks: no start waits for it.
  let document: string | undefined;
  fastify.get('/openapi.json', (_, reply) => {
    document ??= JSON.stringify(openApi(endpoints, { version, audience: 'public' }));
    return reply.header('access-control-allow-origin', '*').header('cache-control', 'no-cache').type('application/json; charset=utf-8').send(document);
  });
  const nonce = randomBytes(16).toString('base64url');
  const policy = [
    `default-src 'none'`,
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'unsafe-inline'`,
    `img-src 'self' data:`,
    `font-src 'self' data:`,
    `connect-src 'self'`,
    `worker-src 'self' blob:`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');
  await fastify.register(async (pages) => {
    pages.addHook('onSend', async (_, reply) => {
      reply.header('content-security-policy', policy).header('x-content-type-options', 'nosniff').header('referrer-policy', 'no-referrer');
    });
    await pages.register(scalar, {
      routePrefix: '/docs',
      configuration: {
        url: '/openapi.json',
        pageTitle: 'Virtual Classroom API',
        nonce,
        withDefaultFonts: false,
        telemetry: false,
        hideClientButton: true,
        showDeveloperTools: 'never',
        mcp: { disabled: true },
        agent: { disabled: true },
        persistAuth: false,
        authentication: { preferredSecurityScheme: 'organizationId' },
        defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
      },
    });
  });
}
