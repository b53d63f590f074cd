import { Injectable } from '@nestjs/common';
import { listEvents, type RpcOutput, type RpcRequest } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import type { FastifyRequest } from 'fastify';
import { SignedCallers } from '../authentication/signed-callers.js';

export type HistoryPage = RpcOutput<typeof listEvents>;

/** Reads pages of an organization's history for a request, also long after its handler began. */
@Injectable()
export class HistoryReader {
  constructor(
    private readonly rpc: RpcClient,
    private readonly callers: SignedCallers,
  ) {}

  /** @throws AppError SERVICE_UNAVAILABLE */
  read(request: FastifyRequest, page: RpcRequest<typeof listEvents>): Promise<HistoryPage> {
    // A stream is resumed by its socket, whose asynchronous context is not the request's.
    return new Promise((resolve, reject) => {
      this.callers.run(request, () => void this.rpc.call(listEvents, page).then(resolve, reject));
    });
  }
}
