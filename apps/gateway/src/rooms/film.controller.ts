import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { AppError, boardRpc, getBoard, getDocument, validationError } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { CONFIG, signFilmToken, verifyFilmToken } from '@classroom/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { GatewayConfig } from '../config.js';
import { success } from '../http/endpoint.js';

const BEARER = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/;
/** Characters. */
const MAX_BEARER = 1024;

/**
 * What the recording page films in addition to LiveKit's pictures. No participant calls this: the token of the page's address says which class it
 * films (ADR 85), and each answer about the board renews it.
 */
@Controller('/recording')
export class FilmController {
  private readonly secrets: readonly string[];

  constructor(
    @Inject(CONFIG) { LIVEKIT_API_SECRET, LIVEKIT_OTHER_KEYS }: GatewayConfig,
    private readonly rpc: RpcClient,
  ) {
    this.secrets = [LIVEKIT_API_SECRET, ...LIVEKIT_OTHER_KEYS.map(({ secret }) => secret)];
  }

  /** @throws AppError UNAUTHORIZED, ROOM_ENDED */
  @Get('/board')
  async board(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    const sid = this.classOf(request);
    const { after } = parsed(getBoard.query, request.query);
    const update = await this.rpc.call(boardRpc.filmed, { sid, after });
    reply.header('cache-control', 'no-store');
    return success({ ...update, token: signFilmToken(this.secrets[0] ?? '', sid) });
  }

  /** @throws AppError UNAUTHORIZED, ROOM_ENDED, DOCUMENT_NOT_FOUND */
  @Get('/documents/:documentId')
  async document(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    const sid = this.classOf(request);
    const { documentId } = parsed(getDocument.params.pick({ documentId: true }), request.params);
    const { after } = parsed(getDocument.query, request.query);
    reply.header('cache-control', 'no-store');
    return success(await this.rpc.call(boardRpc.filmedDocument, { sid, documentId, after }));
  }

  /** @throws AppError UNAUTHORIZED */
  private classOf({ headers: { authorization = '' } }: FastifyRequest): string {
    const token = authorization.length <= MAX_BEARER ? BEARER.exec(authorization)?.[1] : undefined;
    try {
      return verifyFilmToken(this.secrets, token ?? '');
    } catch (cause) {
      throw new AppError('UNAUTHORIZED', { cause });
    }
  }
}

/** @throws AppError VALIDATION_FAILED */
function parsed<S extends z.ZodType>(schema: S, given: unknown): z.output<S> {
  const { success: isValid, data, error } = schema.safeParse(given);
  if (!isValid) throw validationError(error);
  return data;
}
