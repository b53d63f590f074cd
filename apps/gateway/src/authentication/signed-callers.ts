import { Inject, Injectable } from '@nestjs/common';
import { CallerSigner, type SignedCaller } from '@classroom/messaging';
import { CONFIG, inOrganization } from '@classroom/platform';
import type { FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config.js';

type Caller = FastifyRequest['requestContext']['caller'];

/** States to the services, with the gateway's signature, who caused a call. */
@Injectable()
export class SignedCallers {
  private readonly signer: CallerSigner | undefined;

  constructor(@Inject(CONFIG) { CALLER_SIGNING_KEY: key }: GatewayConfig) {
    this.signer = key === undefined ? undefined : new CallerSigner(key);
  }

  /** The gateway's statement about itself, for requests that it passes on to a service; undefined without a key. */
  own(): string | undefined {
    return this.signer?.signOwn();
  }

  /**
   * Runs `work`: its calls of services are made for the request's caller, from the moment at which the caller is authenticated, and name the
   * entry of the audit log, once there is one.
   */
  run({ requestContext }: FastifyRequest, work: () => void): void {
    const { signer } = this;
    if (!signer && requestContext.endpoint?.audit === 'none') return work();
    const sign = () => {
      const caller = signedCallerOf(requestContext.caller);
      return caller && signer?.sign(caller);
    };
    inOrganization(undefined, work, sign, () => requestContext.audit?.id);
  }
}

function signedCallerOf(caller: Caller): SignedCaller | undefined {
  switch (caller.kind) {
    case 'organization':
      return { organizationId: caller.organization.organizationId, rights: caller.apiKey?.scopes ?? ['organization'] };
    case 'dashboard':
      return { organizationId: caller.organization.organizationId, rights: ['dashboard'] };
    case 'participant':
      return { organizationId: caller.participant.organizationId, rights: ['participant', 'classroom'] };
    case 'dispatch':
      return { rights: ['dispatch'] };
    default:
      return undefined;
  }
}
