import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { closeIdleConnections } from '@classroom/http';
import { CONFIG } from '@classroom/platform';
import type { FastifyReply } from 'fastify';
import type { GatewayConfig } from '../config.js';

/**
 * A shutdown that loses no request. From its beginning, every answer asks its client to connect elsewhere. The port stays open for
 * SHUTDOWN_DELAY_SECONDS, until load balancers send no new requests; then requests in flight are finished.
 */
@Injectable()
export class Drain implements OnModuleDestroy {
  private isDraining = false;
  private readonly ending = new AbortController();
  /** Fires when no load balancer sends new requests any more: an answer without an end has to end now. */
  readonly ended: AbortSignal = this.ending.signal;

  constructor(
    @Inject(CONFIG) private readonly config: GatewayConfig,
    private readonly host: HttpAdapterHost,
  ) {}

  /** Called for every answer. */
  closeConnectionIfDraining(reply: FastifyReply): void {
    if (this.isDraining) reply.header('connection', 'close');
  }

  /** Runs before the server is closed. */
  async onModuleDestroy(): Promise<void> {
    this.isDraining = true;
    await sleep(this.config.SHUTDOWN_DELAY_SECONDS * 1000);
    this.ending.abort();
    closeIdleConnections(this.host.httpAdapter.getHttpServer() as Server);
  }
}
