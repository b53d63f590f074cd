import { Injectable } from '@nestjs/common';
import { Expiry, type Holder } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { SessionsRepository } from '../metering/sessions.repository.js';
import { StaleCopiesRepository } from '../reports/copies.repository.js';
import { SettledClassesRepository } from './exported.repository.js';

/** Sessions become old with their class, from its final charge. */
@Injectable()
abstract class SessionExpiry extends Expiry {
  constructor(
    database: Database,
    private readonly classes: SettledClassesRepository,
    protected readonly sessions: SessionsRepository,
    private readonly stale: StaleCopiesRepository,
  ) {
    super(database);
  }

  protected find(organizationId: string, after: Holder, before: Date, limit: number): Promise<Holder[]> {
    return this.classes.find(organizationId, after, before, limit);
  }

  protected async erase(tx: Transaction, organizationId: string, sids: string[]): Promise<number> {
    const erased = await this.change(tx, organizationId, sids);
    if (erased > 0) await this.stale.add(tx, organizationId, sids);
    return erased;
  }

  protected abstract change(tx: Transaction, organizationId: string, sids: string[]): Promise<number>;
}

@Injectable()
export class AddressExpiry extends SessionExpiry {
  readonly dataClass = 'addresses';

  protected change(tx: Transaction, organizationId: string, sids: string[]): Promise<number> {
    return this.sessions.clearAddresses(tx, organizationId, sids);
  }
}

@Injectable()
export class PresenceExpiry extends SessionExpiry {
  readonly dataClass = 'presence';

  protected change(tx: Transaction, organizationId: string, sids: string[]): Promise<number> {
    return this.sessions.pseudonymize(tx, organizationId, sids);
  }
}
