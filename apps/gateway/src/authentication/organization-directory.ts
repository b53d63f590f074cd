import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { NatsConnection } from '@nats-io/transport-node';
import { getOrganization, organizationUpdated, type Organization } from '@classroom/contracts';
import { NATS, RpcClient } from '@classroom/messaging';
import { OwnersAnswers } from './owners-answers.js';

/** Organizations by id. */
@Injectable()
export class OrganizationDirectory implements OnModuleInit {
  private readonly answers: OwnersAnswers<Organization>;

  constructor(
    rpc: RpcClient,
    @Inject(NATS) private readonly connection: NatsConnection,
  ) {
    this.answers = new OwnersAnswers((organizationId) => rpc.call(getOrganization, { organizationId }), 'ORGANIZATION_NOT_FOUND');
  }

  onModuleInit(): void {
    this.answers.dropWhenTold(this.connection, organizationUpdated);
  }

  /** At once where it is known, else when the owner has answered. @throws AppError SERVICE_UNAVAILABLE (owner away) */
  find(organizationId: string): Organization | Promise<Organization | undefined> {
    return this.answers.find(organizationId);
  }

  /** Past the cache: before a "no" that the cache would give, the owner is asked. @throws as `find` does */
  ask(organizationId: string): Promise<Organization | undefined> {
    return this.answers.ask(organizationId);
  }
}
