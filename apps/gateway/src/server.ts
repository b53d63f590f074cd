import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { JSON_BODY_LIMIT } from '@classroom/contracts';
import { limitConnections, malformedUrl, registerLifecycle } from '@classroom/http';
import { Clock, NestLogger } from '@classroom/platform';
import type { FastifyInstance } from 'fastify';
import { AppModule } from './app.module.js';
import { AuditTrail } from './authentication/audit-trail.js';
import { Authentication, SignedCallers } from './authentication/authentication.js';
import { BillingPlanCheck, NamedOrganization } from './authentication/organization-directory.js';
import { CLASS_PAGE, GUIDES, PACKAGES } from './built-folders.js';
import type { GatewayConfig } from './config.js';
import { registerConsole } from './dashboard/console.js';
import { AdminPort, answerFramingError, answerUnsupportedRequests } from './http/admin-port.js';
import { cutOffSlowSenders, endUnreadBodies, limitBodies, registerBodyParsers } from './http/bodies.js';
import { compressAnswers } from './http/compression.js';
import { ClassroomCors, Drain, keepBlankSegments, lifecycleOf } from './http/lifecycle.js';
import { addWarnings, beginApiRequest, ErrorFilter, sendError } from './http/endpoint.js';
import { registerAssets } from './http/pages.js';
import { ReplyCache } from './http/reply-cache.js';
import { InProgressLimit, LargeBodies } from './limits/in-progress-limit.js';
import { RateLimit } from './limits/rate-limit.js';
import { registerMediaProxy, UPLOADS } from './media/media-proxy.js';
import { PictureProxy, registerPictures } from './media/picture-proxy.js';
import { LiveKitWebhooks, registerLiveKitWebhooks } from './rooms/livekit-webhooks.js';
import { registerGuides, registerPackages, registerSecurityTxt } from './site/published-files.js';
import { registerReference } from './site/reference.js';

/** Ids may have 128 characters, and three times as many when percent-encoded. */
const MAX_PARAM_LENGTH = 1024;
/** A whole request has to arrive within this time (milliseconds); slower senders are cut off. */
const REQUEST_TIMEOUT_MS = 30_000;

/** Builds the application, listens, and returns it ready to be drained by `app.close()`. */
export async function startServer(config: GatewayConfig): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    trustProxy: config.TRUSTED_PROXIES.length > 0 ? config.TRUSTED_PROXIES : false,
    bodyLimit: JSON_BODY_LIMIT,
    requestTimeout: config.MEDIA_INTERNAL_URL ? 0 : REQUEST_TIMEOUT_MS,
    http: { headersTimeout: REQUEST_TIMEOUT_MS },
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
    // A request on a kept connection is still answered while the server closes.
    return503OnClosing: false,
    rewriteUrl: (request: IncomingMessage) => keepBlankSegments(request.url ?? '/'),
    frameworkErrors: malformedUrl({ begin: beginApiRequest, sendError }),
    clientErrorHandler: answerFramingError,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
  });
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.forRoot(config), adapter, {
    logger: new NestLogger(),
    bodyParser: false,
    abortOnError: false,
  });
  const fastify = adapter.getInstance() as unknown as FastifyInstance;
  limitConnections(fastify.server, config, config.TRUSTED_PROXIES);
  answerUnsupportedRequests(fastify.server);
  registerBodyParsers(fastify);
  limitBodies(fastify);
  if (config.MEDIA_INTERNAL_URL) cutOffSlowSenders(fastify, REQUEST_TIMEOUT_MS, UPLOADS);
  endUnreadBodies(fastify, UPLOADS);
  const adminPort = new AdminPort(config, fastify, REQUEST_TIMEOUT_MS);
  const lifecycle = lifecycleOf({
    adminPort,
    audit: app.get(AuditTrail),
    authentication: app.get(Authentication),
    callers: app.get(SignedCallers),
    cors: app.get(ClassroomCors),
    drain: app.get(Drain),
    inProgress: app.get(InProgressLimit),
    largeBodies: app.get(LargeBodies),
    named: app.get(NamedOrganization),
    plans: app.get(BillingPlanCheck),
    rateLimit: app.get(RateLimit),
    replies: app.get(ReplyCache),
  });
  registerLifecycle(fastify, lifecycle);
  addWarnings(fastify);
  compressAnswers(fastify);
  await registerLiveKitWebhooks(fastify, app.get(LiveKitWebhooks));
  await registerAssets(fastify, join(CLASS_PAGE, 'assets'), '/assets/');
  await registerConsole(fastify, config);
  registerGuides(fastify, GUIDES);
  registerPackages(fastify, PACKAGES);
  registerPictures(fastify, app.get(PictureProxy));
  registerReference(fastify, config);
  registerSecurityTxt(fastify, config, app.get(Clock));
  if (config.MEDIA_INTERNAL_URL) await registerMediaProxy(fastify, config.MEDIA_INTERNAL_URL, app.get(SignedCallers));
  app.useGlobalFilters(new ErrorFilter());
  const { GATEWAY_PORT: port, GATEWAY_HOST: host } = config;
  await app.listen({ port, host });
  await adminPort.listen();
  return app;
}
