import { Controller } from '@nestjs/common';
import { listEvents, webhookRpc, type EndpointInput, type Organization } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { CallingOrganization, Endpoint, Input } from '../http/endpoint.js';
import { success } from '../http/envelope.js';

@Controller()
export class EventsController {
  constructor(private readonly rpc: RpcClient) {}

  @Endpoint(listEvents)
  async list(@CallingOrganization() { organizationId }: Organization, @Input() { query }: EndpointInput<typeof listEvents>) {
    const { after, types, limit } = query;
    return success(await this.rpc.call(webhookRpc.events, { organizationId, after: Number(after ?? 0), types, limit }), 'Events');
  }
}
