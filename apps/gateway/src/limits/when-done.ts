import type { FastifyReply, FastifyRequest } from 'fastify';

/** Calls `run` once: when the response has been sent or its connection has closed. */
export function whenDone({ raw: { socket } }: FastifyRequest, { raw: response }: FastifyReply, run: () => void): void {
  // Its event was before.
  if (socket.destroyed) return run();
  const done = () => {
    response.off('finish', done);
    socket.off('close', done);
    run();
  };
  // A pipelined response that is not sent yet has no connection of its own to report that it closed.
  response.once('finish', done);
  socket.once('close', done);
}
