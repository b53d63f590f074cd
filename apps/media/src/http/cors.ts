import { Injectable } from '@nestjs/common';
import { AllowedOrigins, allowOrigin } from '@classroom/http';
import type { FastifyReply, FastifyRequest } from 'fastify';

const PLAYBACK = {
  methods: 'GET, HEAD',
  headers: 'Range, If-Range, If-None-Match',
  exposed: 'Content-Length, Content-Range, Accept-Ranges, ETag, X-Request-Id, Date',
};
const UPLOADS = {
  methods: 'HEAD, PATCH, POST',
  headers: 'Content-Type, Tus-Resumable, Upload-Offset, X-HTTP-Method-Override, X-Request-Id, X-Requested-With',
  exposed: 'Tus-Resumable, Tus-Version, Tus-Extension, Upload-Offset, Upload-Length, Upload-Expires, Retry-After, X-Request-Id, Date',
};

/** Pages on allowed origins may play and upload. Who has no valid address causes no lookup. */
@Injectable()
export class MediaCors {
  constructor(private readonly origins: AllowedOrigins) {}

  /**
   * Before the address is verified: origins that are known may also read refusals.
   * @returns true if the request was a preflight, which is then answered
   */
  answerKnown(request: FastifyRequest, reply: FastifyReply): boolean | Promise<boolean> {
    reply.header('vary', 'Origin');
    const { origin } = request.headers;
    return origin !== undefined && this.origins.knows(origin) && this.answer(request, reply);
  }

  /**
   * For a request whose signature or upload is valid: looks the origin up.
   * @returns true if the request was a preflight of an allowed origin, which is then answered
   */
  answer(request: FastifyRequest, reply: FastifyReply): boolean | Promise<boolean> {
    const { origin } = request.headers;
    if (origin === undefined) return false;
    const found = this.origins.includes(origin, request.ip);
    const rules = request.url.startsWith('/uploads/') ? UPLOADS : PLAYBACK;
    const proceed = (isAllowed: boolean) => isAllowed && allowOrigin(request, reply, rules, isPreflight(request));
    return found instanceof Promise ? found.then(proceed) : proceed(found);
  }
}

/** An OPTIONS request without that header asks for the capabilities of tus. */
export const isPreflight = ({ method, headers }: FastifyRequest) =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
