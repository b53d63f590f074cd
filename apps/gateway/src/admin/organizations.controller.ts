import { Controller } from '@nestjs/common';
import {
  createOrganization,
  getOrganization,
  listOrganizations,
  organizationRpc,
  updateOrganization,
  type EndpointInput,
} from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { Endpoint, Input } from '../http/endpoint.js';
import { success } from '../http/envelope.js';

@Controller()
export class OrganizationsController {
  constructor(private readonly rpc: RpcClient) {}

  @Endpoint(createOrganization)
  async create(@Input() { body }: EndpointInput<typeof createOrganization>) {
    return success(await this.rpc.call(organizationRpc.create, body), 'Organization created');
  }

  @Endpoint(listOrganizations)
  async list(@Input() { query }: EndpointInput<typeof listOrganizations>) {
    return success(await this.rpc.call(organizationRpc.list, query));
  }

  @Endpoint(getOrganization)
  async get(@Input() { params }: EndpointInput<typeof getOrganization>) {
    return success(await this.rpc.call(organizationRpc.get, params));
  }

  @Endpoint(updateOrganization)
  async update(@Input() { params, body }: EndpointInput<typeof updateOrganization>) {
    const { organizationId } = params;
    return success(await this.rpc.call(organizationRpc.update, { organizationId, changes: body }), 'Organization updated');
  }
}
