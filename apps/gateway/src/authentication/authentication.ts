import { Inject, Injectable } from '@nestjs/common';
import { AppError, classroomRpc, organizationId, type EndpointAuth, type Organization } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { CONFIG } from '@classroom/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config.js';
import { HealthLimit } from '../health/health-limit.js';
import { OrganizationLimit } from '../limits/organization-limit.js';
import { OrganizationDirectory } from './organization-directory.js';
import { isOneOf } from './secrets.js';

const BEARER = /^Bearer ([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+)$/i;
/** A prefix and token longer than this is none of ours. */
const MAX_BEARER = 8192;

/** Proves who calls before a byte of the body is read. @throws AppError UNAUTHORIZED and nothing more telling */
@Injectable()
export class Authentication {
  private readonly dispatchSecrets: string[];

  constructor(
    @Inject(CONFIG) config: GatewayConfig,
    private readonly organizations: OrganizationDirectory,
    private readonly rpc: RpcClient,
    private readonly limit: OrganizationLimit,
    private readonly healthLimit: HealthLimit,
  ) {
    const { DISPATCH_SECRET, DISPATCH_SECRET_PREVIOUS } = config;
    this.dispatchSecrets = [DISPATCH_SECRET, ...(DISPATCH_SECRET_PREVIOUS ? [DISPATCH_SECRET_PREVIOUS] : [])];
  }

  /** Sets the exchange's caller; at once where the organization is known already. */
  authenticate(request: FastifyRequest, reply: FastifyReply): void | Promise<void> {
    const auth = request.exchange.endpoint?.auth ?? 'none';
    switch (auth) {
      case 'organization':
        return this.organization(request, reply);
      case 'dispatch':
        return this.dispatch(request);
      case 'participant':
      case 'classroom':
        return this.participant(request, auth);
      case 'livekit':
        // The signature covers the body: the handler verifies both together.
        return undefined;
      case 'none':
        return this.healthLimit.take(request, reply);
      default:
        return unreachable(auth);
    }
  }

  private organization(request: FastifyRequest, reply: FastifyReply): void | Promise<void> {
    const id = organizationId.safeParse(request.headers['vf-org-id']);
    if (!id.success) throw new AppError('UNAUTHORIZED');
    const unknown = request.exchange.endpoint?.unknownOrganization ?? 'UNAUTHORIZED';
    const accept = (organization: Organization | undefined) => {
      if (!organization) throw new AppError(unknown);
      request.exchange.caller = { kind: 'organization', organization };
      return this.limit.take(organization.organizationId, reply);
    };
    const found = this.organizations.find(id.data);
    return found instanceof Promise ? found.then(accept) : accept(found);
  }

  private dispatch(request: FastifyRequest): void {
    const given = request.headers['x-dispatch-secret'];
    if (typeof given !== 'string' || !isOneOf(given, this.dispatchSecrets)) throw new AppError('UNAUTHORIZED');
    request.exchange.caller = { kind: 'dispatch' };
  }

  private async participant(request: FastifyRequest, accept: 'participant' | 'classroom'): Promise<void> {
    const header = request.headers.authorization ?? '';
    const bearer = header.length <= MAX_BEARER ? BEARER.exec(header)?.[1] : undefined;
    if (!bearer) throw new AppError('UNAUTHORIZED');
    const participant = await this.rpc.call(classroomRpc.authenticate, { bearer, accept });
    request.exchange.caller = { kind: 'participant', participant };
  }
}

function unreachable(auth: never): never {
  throw new Error(`no such authentication: ${String(auth satisfies EndpointAuth)}`);
}
