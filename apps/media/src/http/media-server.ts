import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import {
  AddressQuota,
  answerFailure,
  beginRequest,
  closeIdleConnections,
  limitConnections,
  malformedUrl,
  registerLifecycle,
  toAppError,
  type Lifecycle,
} from '@classroom/http';
import { CallerVerifier, GATEWAY_HEADER } from '@classroom/messaging';
import { CONFIG } from '@classroom/platform';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { MediaConfig } from '../config.js';
import { MediaCors } from './cors.js';
import { DeliveryRoutes } from './delivery.routes.js';
import { UploadRoutes } from './upload.routes.js';

/** The steps around the handler of every request. */
const lifecycleOf = (begin: Lifecycle['begin'], cors: MediaCors, requests: AddressQuota, isDraining: () => boolean): Lifecycle => ({
  begin: (request, reply) => {
    begin(request, reply);
    if (isDraining()) reply.header('connection', 'close');
  },
  beforeBody: [(request, reply) => cors.answerKnown(request, reply), (request, reply) => takeOne(requests, request, reply)],
  sendError,
});

const beginOf = (callers: CallerVerifier) => (request: FastifyRequest, reply: FastifyReply) => {
  beginRequest(request, reply, { isOurs: callers.isFromGateway(request.headers[GATEWAY_HEADER]) });
  // Pages that isolate themselves (COEP) may still embed what they have a signed address for.
  reply.header('cross-origin-resource-policy', 'cross-origin');
};

/** @throws AppError RATE_LIMITED */
function takeOne(requests: AddressQuota, { ip }: FastifyRequest, reply: FastifyReply): void {
  if (requests.take(ip)) return;
  reply.header('retry-after', String(requests.secondsLeft(ip)));
  throw new AppError('RATE_LIMITED');
}

function sendError(request: FastifyRequest, reply: FastifyReply, failure: unknown): FastifyReply {
  // These headers describe the file that could not be sent, not the error.
  for (const name of ['etag', 'last-modified', 'accept-ranges', 'content-range', 'content-length']) reply.removeHeader(name);
  reply.header('cache-control', 'no-store');
  return answerFailure(request, reply, toAppError(failure));
}

const notFound = (request: FastifyRequest, reply: FastifyReply) => sendError(request, reply, new AppError('NOT_FOUND'));

/** Longer than any upload id or signed path. */
const MAX_PARAM_LENGTH = 512;

/** The HTTP server for uploads and playback, in processes with the role `service`. */
@Injectable()
export class MediaServer implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly fastify: FastifyInstance;
  private isDraining = false;

  constructor(
    @Inject(CONFIG) private readonly config: MediaConfig,
    cors: MediaCors,
    private readonly uploads: UploadRoutes,
    delivery: DeliveryRoutes,
  ) {
    const begin = beginOf(new CallerVerifier(config.CALLER_PUBLIC_KEYS));
    this.fastify = Fastify({
      trustProxy: config.TRUSTED_PROXIES,
      // An upload may take long on a slow connection. For the headers, Node's own limit remains.
      requestTimeout: 0,
      keepAliveTimeout: 65_000,
      forceCloseConnections: 'idle',
      return503OnClosing: false,
      frameworkErrors: malformedUrl({ begin, sendError }),
      routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    });
    limitConnections(this.fastify.server, config, config.TRUSTED_PROXIES);
    // Bodies are streamed to the storage unparsed.
    this.fastify.removeAllContentTypeParsers();
    this.fastify.addContentTypeParser('*', (_, __, done) => done(null));
    registerLifecycle(
      this.fastify,
      lifecycleOf(begin, cors, new AddressQuota(config.OPEN_REQUESTS_PER_MINUTE), () => this.isDraining),
    );
    this.fastify.setErrorHandler((error, request, reply) => sendError(request, reply, error));
    this.fastify.setNotFoundHandler(notFound);
    this.uploads.register(this.fastify);
    delivery.register(this.fastify);
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.fastify.listen({ port: this.config.MEDIA_PORT, host: this.config.MEDIA_HOST });
  }

  async onModuleDestroy(): Promise<void> {
    this.isDraining = true;
    this.uploads.drain();
    const closing = closeIdleConnections(this.fastify.server);
    await this.fastify.close().finally(() => clearInterval(closing));
  }
}
