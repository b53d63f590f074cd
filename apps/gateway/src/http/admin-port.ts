import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '@classroom/contracts';
import { closeIdleConnections, limitConnections } from '@classroom/http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config.js';
import { answerFramingError, answerUnsupportedRequests } from './framing.js';

/**
 * A second port for the operators' API, so that the network decides who can reach it. The public port then answers as if it did not exist. Both
 * serve the console: its pages for operators can be used on this port only.
 */
export class AdminPort {
  private readonly sockets = new WeakSet<Socket>();
  private readonly server: Server | undefined;

  /** @param timeoutMs within which a request has to arrive */
  constructor(
    private readonly config: GatewayConfig,
    fastify: FastifyInstance,
    timeoutMs: number,
  ) {
    if (config.GATEWAY_ADMIN_PORT === undefined) return;
    const options = { requestTimeout: timeoutMs, headersTimeout: timeoutMs };
    const server = createServer(options, (request, response) => fastify.routing(request, response));
    server.on('connection', (socket: Socket) => this.sockets.add(socket));
    server.on('clientError', answerFramingError);
    answerUnsupportedRequests(server);
    limitConnections(server, config, config.TRUSTED_PROXIES);
    fastify.addHook('onClose', (_, done) => {
      closeIdleConnections(server);
      server.close(() => done());
    });
    this.server = server;
  }

  /** @throws AppError NOT_FOUND if the request came to the other port */
  check({ raw, requestContext, routeOptions }: FastifyRequest): void {
    if (!this.server || routeOptions.url?.startsWith('/console')) return;
    if (this.sockets.has(raw.socket) === (requestContext.endpoint?.auth === 'dispatch')) return;
    // As for a path without a route.
    requestContext.endpoint = undefined;
    throw new AppError('NOT_FOUND');
  }

  /** Resolves when the port is open. Rejects if it cannot be opened. */
  async listen(): Promise<void> {
    const { server } = this;
    const { GATEWAY_ADMIN_PORT: port, GATEWAY_ADMIN_HOST: host } = this.config;
    if (!server) return;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ port, host }, resolve);
    });
  }
}
