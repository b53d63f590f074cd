import { Controller } from '@nestjs/common';
import { billingRpc, explainEntry, listLedger, listStatements, postCredits, type EndpointInput } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { Endpoint, Input } from '../http/endpoint.js';
import { allPages } from '../http/all-pages.js';
import { success } from '../http/envelope.js';

@Controller()
export class CreditsController {
  constructor(private readonly rpc: RpcClient) {}

  @Endpoint(postCredits)
  async post(@Input() { params, body }: EndpointInput<typeof postCredits>) {
    const posted = await this.rpc.call(billingRpc.postCredits, { ...body, ...params });
    return success(posted, posted.replayed ? 'This reference was posted before' : 'Credits posted');
  }

  @Endpoint(listLedger)
  async ledger(@Input() { params, query }: EndpointInput<typeof listLedger>) {
    return success(await this.rpc.call(billingRpc.ledger, { ...params, ...query }));
  }

  @Endpoint(explainEntry)
  async explain(@Input() { params }: EndpointInput<typeof explainEntry>) {
    const pages = await allPages((cursor) => this.rpc.call(billingRpc.explain, { ...params, isPaged: true, cursor }));
    const [{ nextCursor: _, ...explanation }] = pages;
    return success({ ...explanation, sessions: pages.flatMap(({ sessions }) => sessions) });
  }

  @Endpoint(listStatements)
  async statements(@Input() { params }: EndpointInput<typeof listStatements>) {
    return success(await this.rpc.call(billingRpc.statements, params));
  }
}
