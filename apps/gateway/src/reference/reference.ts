import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import scalar from '@scalar/fastify-api-reference';
import { openApi } from '@classroom/contracts';
import type { FastifyInstance } from 'fastify';
import { StaticText } from '../http/compression.js';
import { endpoints } from '../http/endpoint.js';

const { version } = JSON.parse(readFileSync(join(__dirname, '..', '..', 'package.json'), 'utf8')) as { version: string };

const DOCS = '/docs';
const SCRIPT = `${DOCS}/js/scalar.js`;
/** Placeholder in the page that the plugin writes; each answer replaces it with a nonce of its own. */
const NONCE = 'nonce-of-this-answer';

const policyWith = (nonce: string) =>
  [
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

/**
 * The reference of this gateway's public API: a document at `/openapi.json`, and a page with a try-out at `/docs`. The page loads
 * everything from this gateway and connects to no other server.
 */
export async function registerReference(fastify: FastifyInstance): Promise<void> {
  // Made for the first request, so that it does not delay the start.
  let document: StaticText | undefined;
  fastify.get('/openapi.json', async (request, reply) => {
    document ??= new StaticText(JSON.stringify(openApi(endpoints, { version, audience: 'public' })));
    reply.header('access-control-allow-origin', '*').type('application/json; charset=utf-8');
    return reply.send(await document.answer(request, reply));
  });
  let script: StaticText | undefined;
  await fastify.register(async (pages) => {
    pages.addHook('onSend', async (request, reply, payload) => {
      const nonce = randomBytes(16).toString('base64url');
      reply
        .header('content-security-policy', policyWith(nonce))
        .header('x-content-type-options', 'nosniff')
        .header('referrer-policy', 'no-referrer');
      if (typeof payload !== 'string') return payload;
      if (request.routeOptions.url !== SCRIPT) return payload.replaceAll(NONCE, nonce);
      script ??= new StaticText(payload);
      return script.answer(request, reply);
    });
    await pages.register(scalar, {
      routePrefix: DOCS,
      configuration: {
        url: '/openapi.json',
        pageTitle: 'Virtual Classroom API',
        nonce: NONCE,
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
