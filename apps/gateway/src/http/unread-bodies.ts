import type { FastifyInstance, FastifyRequest } from 'fastify';

/** How much of a body is still read after its request was answered (bytes). */
const MAX_READ_BYTES = 2 * 1024 * 1024;
/** How long the client then has to read the answer and to disconnect by itself (milliseconds). */
const LINGER_MS = 5_000;

/** Whether the request has a body, according to its headers. */
export const hasBody = ({ headers }: FastifyRequest) =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

/**
 * Lets a client read an early answer while it is still sending: if the connection closed in the middle of a body, the client would get a
 * broken pipe. A little more is read and discarded. A body that is known to be large is not read at all: its sender has to wait until the
 * gateway disconnects, which delays no other request. Slow senders are cut off all the same.
 * @param except path prefix of the routes that handle their bodies themselves
 */
export function endUnreadBodies(fastify: FastifyInstance, except: string): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (hasBody(request) && !request.raw.complete && !request.routeOptions.url?.startsWith(except)) {
      // Fastify sets this header where it stopped reading.
      reply.removeHeader('connection');
      discardBody(request);
    }
    done(null, payload);
  });
}

function discardBody({ raw, headers }: FastifyRequest): void {
  const closeConnection = () => {
    raw.pause();
    setTimeout(() => raw.socket.destroy(), LINGER_MS).unref();
  };
  // Otherwise Node discards everything that arrives for an unread request, without any limit.
  raw.read();
  if (Number(headers['content-length'] ?? 0) > MAX_READ_BYTES) return closeConnection();
  let remaining = MAX_READ_BYTES;
  raw.on('data', (chunk: Buffer) => {
    remaining -= chunk.length;
    if (remaining <= 0 && !raw.isPaused()) closeConnection();
  });
  raw.resume();
}
