import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Of a body whose request is answered already, this much is still read (bytes). */
const MOST_READ = 2 * 1024 * 1024;
/** How long its client then has to see the answer, and to hang up by itself (milliseconds). */
const LINGER_MS = 5_000;

/** Whether something is still to come, as far as the headers tell. */
export const hasBody = ({ headers }: FastifyRequest) =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

/**
 * Whoever still sends what is answered already must be able to read the answer: a connection that is closed in the middle of a body
 * is a broken pipe to its client. A little more is read and thrown away. Of a large body nothing is: its sender has to wait until
 * we hang up, and costs nobody else any time. Slow senders are cut off all the same.
 * @param except the beginning of the routes that see to their bodies themselves
 */
export function endUnreadBodies(fastify: FastifyInstance, except: string): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (hasBody(request) && !request.raw.complete && !request.routeOptions.url?.startsWith(except)) {
      // Fastify's own, where it stopped reading.
      reply.removeHeader('connection');
      throwAway(request);
    }
    done(null, payload);
  });
}

function throwAway({ raw, headers }: FastifyRequest): void {
  const hangUp = () => {
    raw.pause();
    setTimeout(() => raw.socket.destroy(), LINGER_MS).unref();
  };
  // Of a request that nobody has read Node reads all that comes, as fast as it comes.
  raw.read();
  if (Number(headers['content-length'] ?? 0) > MOST_READ) return hangUp();
  let left = MOST_READ;
  raw.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left <= 0 && !raw.isPaused()) hangUp();
  });
  raw.resume();
}
