import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError, HTTP_STATUS } from '@classroom/contracts';
import { errorBodyOf } from '@classroom/http';

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
