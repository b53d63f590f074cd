import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { AddressQuota, closeIdleConnections, limitConnections, malformedUrl, registerLifecycle } from '@classroom/http';
import { CallerVerifier } from '@classroom/messaging';
import { CONFIG } from '@classroom/platform';
import Fastify, { type FastifyInstance } from 'fastify';
import type { MediaConfig } from '../config.js';
import { MediaCors } from './cors.js';
import { DeliveryRoutes } from './delivery.routes.js';
import { UploadRoutes } from './upload.routes.js';
import { beginOf, lifecycleOf, notFound, sendError } from './lifecycle.js';

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
