import { randomUUID } from 'node:crypto';
import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import { AppError, HTTP_STATUS } from '@classroom/contracts';
import { closeIdleConnections, errorBodyOf, limitConnections } from '@classroom/http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config.js';

interface Rejection {
  status: number;
  error: AppError;
}

const rejection = (status: number, message: string): Rejection => ({ status, error: new AppError('VALIDATION_FAILED', { message }) });

const MALFORMED = rejection(400, 'The request is not valid HTTP');
const BY_CODE: Record<string, Rejection> = {
  ERR_HTTP_REQUEST_TIMEOUT: rejection(408, 'The request took too long to arrive'),
  HPE_HEADER_OVERFLOW: rejection(431, 'The headers are too large'),
};
const UNSUPPORTED_EXPECTATION = rejection(417, 'The only expectation that is met is 100-continue');
const NO_TUNNEL: Rejection = { status: HTTP_STATUS.method_not_allowed, error: new AppError('METHOD_NOT_ALLOWED') };

/** Fastify's `clientErrorHandler`: bytes that are not a request are answered in the envelope too. */
export function answerFramingError(failure: NodeJS.ErrnoException, socket: Duplex): void {
  if (failure.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else reject(socket, BY_CODE[failure.code ?? ''] ?? MALFORMED);
}

/** Answers what Node would answer itself without a listener: CONNECT, and expectations other than 100-continue. */
export function answerUnsupportedRequests(server: Server): void {
  server.on('connect', (_: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => undefined);
    reject(socket, NO_TUNNEL);
  });
  server.on('checkExpectation', (_: IncomingMessage, response: ServerResponse) => {
    const { headers, body } = serialize(UNSUPPORTED_EXPECTATION);
    response.writeHead(UNSUPPORTED_EXPECTATION.status, headers).end(body);
  });
}

function reject(socket: Duplex, rejection: Rejection): void {
  const { headers, body } = serialize(rejection);
  const lines = [
    `HTTP/1.1 ${rejection.status} ${STATUS_CODES[rejection.status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

function serialize({ error }: Rejection): { headers: Record<string, string>; body: string } {
  const requestId = randomUUID();
  const body = JSON.stringify(errorBodyOf(error, requestId));
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': requestId,
    // It is unknown where the rejected bytes end and the next request begins.
    connection: 'close',
  };
  return { headers, body };
}

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
