import { Controller, Req, Res } from '@nestjs/common';
import * as contracts from '@classroom/contracts';
import { AppError, classroomRpc, isOperation, type Operation, type OperationRequest } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OrganizationDirectory } from '../authentication/organization-directory.js';
import { Endpoint, type ApiRequestContext, type Caller } from './endpoint.js';
import { withReplayHeader } from './reply-cache.js';

/** Serves every operation of the contracts with one RPC, unless it has a handler of its own. */
@Controller()
export class OperationsController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly organizations: OrganizationDirectory,
  ) {}

  async serve({ requestContext }: FastifyRequest, reply: FastifyReply): Promise<object> {
    const operation = requestContext.endpoint as Operation;
    const { permission } = operation;
    return permission ? this.inClass(operation, permission, requestContext) : this.call(operation, requestContext, reply);
  }

  private async call(operation: Operation, requestContext: ApiRequestContext, reply: FastifyReply): Promise<object> {
    const request = requestOf(requestContext);
    const { ownerKey: idempotency } = requestContext;
    const input = { ...operation.toInput(request), ...(idempotency ? { idempotency } : {}), ...callerFields(requestContext.caller) };
    const answer = await this.rpc.call(operation, input);
    const data: unknown = operation.idempotency === 'owner' ? withReplayHeader(reply, answer as object) : answer;
    return answerOf(operation, data, operation.messageOf(data, request));
  }

  /** For a service that knows no participants: `room` checks the permission, and the service is called for the organization. */
  private async inClass(
    operation: Operation,
    permission: NonNullable<Operation['permission']>,
    { input, caller }: ApiRequestContext,
  ): Promise<object> {
    if (!input || caller.kind !== 'participant') throw new AppError('UNAUTHORIZED');
    const { organizationId, roomId } = await this.rpc.call(classroomRpc.authorize, {
      caller: caller.participant,
      permission: permission === 'beInClass' ? undefined : permission,
    });
    const organization = await this.organizations.find(organizationId);
    if (!organization) throw new AppError('UNAUTHORIZED');
    const request = { ...input, params: { ...(input.params as object), roomId }, organization, apiKey: undefined };
    const data: unknown = await this.rpc.call(operation, { ...operation.toInput(request), organizationId });
    return answerOf(operation, data, operation.messageOf(data, request));
  }
}

for (const operation of (Object.values(contracts) as unknown[]).filter(isOperation)) {
  if (operation.hasOwnHandler) continue;
  const { operationId } = operation;
  const descriptor = {
    value(this: OperationsController, request: FastifyRequest, reply: FastifyReply) {
      return this.serve(request, reply);
    },
  };
  const { prototype } = OperationsController;
  Object.defineProperty(prototype, operationId, descriptor);
  Req()(prototype, operationId, 0);
  Res({ passthrough: true })(prototype, operationId, 1);
  Endpoint(operation)(prototype, operationId, descriptor as object);
}

function requestOf({ input, caller }: ApiRequestContext): OperationRequest {
  if (!input) throw new Error('a request was not validated');
  const organization = 'organization' in caller ? caller.organization : undefined;
  return {
    ...input,
    get organization() {
      if (!organization) throw new AppError('UNAUTHORIZED');
      return organization;
    },
    apiKey: 'apiKey' in caller ? caller.apiKey : undefined,
  };
}

/** Last in the input, so that no field of a request can replace the caller. */
function callerFields(caller: Caller): object {
  switch (caller.kind) {
    case 'organization':
    case 'dashboard':
      return { organizationId: caller.organization.organizationId };
    case 'participant':
      return { caller: caller.participant };
    default:
      return {};
  }
}

const answerOf = ({ dataField }: Operation, data: unknown, message: string | undefined): object => ({
  success: true,
  ...(message === undefined ? {} : { message }),
  ...(dataField === null ? (data as object) : { [dataField]: data }),
});
