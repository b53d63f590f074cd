import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { endRequest } from '@classroom/http';

/**
 * A signal that fires as soon as the connection closes before the whole answer was sent. It listens to the socket: the request's own
 * events end with its body, and a pipelined answer has no connection yet.
 */
export const DisconnectSignal = createParamDecorator((_: unknown, context: ExecutionContext): AbortSignal => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const reply = context.switchToHttp().getResponse<FastifyReply>();
  const { socket } = request.raw;
  const disconnect = new AbortController();
  request.requestContext.isAnsweredOnce = true;
  const onClose = () => {
    disconnect.abort();
    // Fastify reports only answers that were sent.
    endRequest(request, reply);
  };
  if (socket.destroyed) onClose();
  socket.once('close', onClose);
  reply.raw.once('finish', () => socket.off('close', onClose));
  return disconnect.signal;
});
