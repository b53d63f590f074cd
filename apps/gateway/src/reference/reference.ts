import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defineEndpoint, type EndpointContract } from '@classroom/contracts';
import { fastify as createFastify, type FastifyInstance, type FastifyReply } from 'fastify';
import { z } from 'zod';
import { COMPILED_FOLDER } from '../compiled-folder.js';
import type { GatewayConfig } from '../config.js';
import { StaticText } from '../http/compression.js';

interface Reference {
  title: string;
  /** Path of the document, and of the page. */
  document: string;
  page: string;
  scheme: string;
}

const PUBLIC: Reference = {
  title: 'Virtual Classroom API',
  document: '/openapi.json',
  page: '/docs',
  scheme: 'credential',
};
const OPERATORS: Reference = {
  title: 'Virtual Classroom API, for operators',
  document: '/openapi.internal.json',
  page: '/docs/operators',
  scheme: 'dispatchSecret',
};

/** Gives the document the checks and the quota of every call of operators. It is not part of the API. */
const operatorsDocument: EndpointContract = defineEndpoint({
  operationId: 'getOperatorsReference',
  summary: 'Get reference',
  description: 'Returns the reference of the operators’ API.',
  tag: 'Organizations',
  route: `GET ${OPERATORS.document as '/openapi.internal.json'}`,
  auth: 'dispatch',
  response: z.unknown(),
});

/** `docs/reference`, which the build copies. Tests run the sources and read it from `dist`, too. */
const WRITTEN = join(COMPILED_FOLDER, '..', 'dist', 'reference');

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
 * everything from this gateway and connects to no other server. The events' reference is the document `/asyncapi.json`. In a local deployment the operators' reference is served likewise;
 * otherwise its document needs the operators' secret, and it has no page: a browser cannot send the secret with a link. The keys of receipts of erasures
 * are a document at a well-known address.
 */
export function registerReference(
  fastify: FastifyInstance,
  { DEPLOYMENT: deployment, RECEIPT_PUBLIC_KEYS }: Pick<GatewayConfig, 'DEPLOYMENT' | 'RECEIPT_PUBLIC_KEYS'>,
): void {
  registerDocument(fastify, { path: PUBLIC.document, isPublic: true }, written(PUBLIC.document));
  registerDocument(fastify, { path: '/asyncapi.json', isPublic: true }, written('/asyncapi.json'));
  const keys = RECEIPT_PUBLIC_KEYS.map((publicKey) => ({ algorithm: 'Ed25519', publicKey }));
  registerDocument(fastify, { path: '/.well-known/erasure-receipt-keys.json', isPublic: true }, async () => JSON.stringify({ keys }));
  registerPage(fastify, PUBLIC);
  const config = deployment === 'local' ? {} : { endpoint: operatorsDocument };
  registerDocument(fastify, { path: OPERATORS.document, config }, written(OPERATORS.document));
  if (deployment === 'local') registerPage(fastify, OPERATORS);
}

const written = (path: string) => () => readFile(join(WRITTEN, path), 'utf8');

interface Served {
  path: string;
  config?: object;
  /** Whether pages of other origins may read it. */
  isPublic?: boolean;
}

/** @param make called for the first request, so that it does not delay the start */
function registerDocument(fastify: FastifyInstance, { path, config = {}, isPublic = false }: Served, make: () => Promise<string>): void {
  let document: Promise<StaticText> | undefined;
  fastify.get(path, { config }, async (request, reply) => {
    document ??= make().then((text) => new StaticText(text));
    if (isPublic) reply.header('access-control-allow-origin', '*');
    reply.type('application/json; charset=utf-8');
    return reply.send(await (await document).answer(request, reply));
  });
}

interface Page {
  html: string;
  script: StaticText;
}

function registerPage(fastify: FastifyInstance, reference: Reference): void {
  const { page } = reference;
  let loading: Promise<Page> | undefined;
  const load = () => (loading ??= loadPage(reference));
  fastify.get(page, async (_request, reply) => {
    restrict(reply);
    return reply.redirect(`${page}/`, 301);
  });
  fastify.get(`${page}/`, async (_request, reply) => {
    const nonce = restrict(reply);
    const { html } = await load();
    return reply.type('text/html; charset=utf-8').send(html.replaceAll(NONCE, nonce));
  });
  fastify.get(`${page}/js/scalar.js`, async (request, reply) => {
    restrict(reply);
    const { script } = await load();
    reply.type('application/javascript; charset=utf-8');
    return reply.send(await script.answer(request, reply));
  });
}

/** Sets the headers that limit what the page may do. @returns the nonce of the answer */
function restrict(reply: FastifyReply): string {
  const nonce = randomBytes(16).toString('base64url');
  reply.header('content-security-policy', policyWith(nonce)).header('referrer-policy', 'no-referrer');
  reply.header('cross-origin-opener-policy', 'same-origin');
  return nonce;
}

/** Some of the renderer's own colors miss a contrast of 4.5:1. */
const COLORS = {
  '.light-mode': { 2: '#5b6472', 3: '#5b6472', green: '#056b48', blue: '#005f9e', red: '#c4000a', orange: '#b03c00', yellow: '#7a5d00' },
  '.dark-mode': { 2: '#9aa3b2', 3: '#9aa3b2', green: '#3fce85', blue: '#4eb3ec', red: '#ff7b7b', orange: '#ff8d4d', yellow: '#ffc90d' },
};
const STYLE = Object.entries(COLORS)
  .map(([mode, colors]) => {
    const values = Object.entries(colors).map(([name, color]) => `--scalar-color-${name}: ${color};`);
    return `${mode} { ${values.join(' ')} }`;
  })
  .join(' ');

/** What the renderer shows in the empty field of a credential: it looks like a leaked one. */
const PLACEHOLDER = 'QUxMIFlPVVIgQkFTRSBBUkUgQkVMT05HIFRPIFVT';

/** The texts that the package's plugin serves. The package takes 75 MB of memory, so it is imported for the first request. */
async function loadPage({ title, document, page, scheme }: Reference): Promise<Page> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const server = createFastify();
  await server.register(scalar, {
    routePrefix: page as '/docs',
    configuration: {
      url: document,
      pageTitle: title,
      nonce: NONCE,
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      mcp: { disabled: true },
      agent: { disabled: true },
      persistAuth: false,
      authentication: { preferredSecurityScheme: scheme },
      favicon: 'data:,',
      customCss: STYLE,
      defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    },
  });
  const html = await server.inject(`${page}/`);
  const script = await server.inject(`${page}/js/scalar.js`);
  return { html: html.payload.replace('<html>', '<html lang="en">'), script: new StaticText(script.payload.replaceAll(PLACEHOLDER, '')) };
}
