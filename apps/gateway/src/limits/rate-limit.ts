import { Injectable } from '@nestjs/common';
import { openDashboardSession } from '@classroom/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AddressLimit } from './address-limit.js';
import { OrganizationLimit } from './organization-limit.js';
import { PersonLimit } from './person-limit.js';

/** Applies the quota of each kind of caller. */
@Injectable()
export class RateLimit {
  constructor(
    private readonly organizations: OrganizationLimit,
    private readonly people: PersonLimit,
    private readonly addresses: AddressLimit,
  ) {}

  /** @throws AppError RATE_LIMITED */
  take(request: FastifyRequest, reply: FastifyReply): void | Promise<void> {
    const { caller, endpoint } = request.requestContext;
    switch (caller.kind) {
      case 'organization':
        return this.organizations.take(caller.organization.organizationId, reply);
      case 'dashboard':
        // A separate quota: dashboard users take nothing from the backend that runs the classes.
        return this.organizations.take(`${caller.organization.organizationId}/dashboard`, reply);
      case 'participant':
        return this.people.take('requests', caller.participant, reply);
      case 'dispatch':
        return this.addresses.take('admin', request, reply);
      default:
        // What is no operation needs no credential: pages, their files, pictures, uploads and playback.
        if (!endpoint || endpoint === openDashboardSession) return this.addresses.take('open', request, reply);
        return endpoint.auth === 'none' ? this.addresses.take('health', request, reply) : undefined;
    }
  }
}
