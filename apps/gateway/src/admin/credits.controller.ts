import { Controller } from '@nestjs/common';
import { billingRpc, explainEntry, type EndpointInput } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { Endpoint, Input } from '../http/endpoint.js';
import { allPages } from '../http/all-pages.js';
import { success } from '../http/envelope.js';

@Controller()
export class CreditsController {
  constructor(private readonly rpc: RpcClient) {}

  @Endpoint(explainEntry)
  async explainEntry(@Input() { params }: EndpointInput<typeof explainEntry>) {
    const pages = await allPages((cursor) => this.rpc.call(billingRpc.explain, { ...params, isPaged: true, cursor }));
    const [{ nextCursor: _, ...explanation }] = pages;
    return success({ ...explanation, sessions: pages.flatMap(({ sessions }) => sessions) });
  }
}
