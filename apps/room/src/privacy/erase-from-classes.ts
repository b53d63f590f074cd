import { Injectable } from '@nestjs/common';
import { erasureRpc, namedBy, type ErasureOutcome, type ErasureRequest, type PersonOrClass } from '@classroom/contracts';
import { applyErasure, eraseOrganization, Handles } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { ConsentsRepository } from '../consent/consents.repository.js';
import { ParticipantMinutesRepository } from '../engagement/participant-minutes.repository.js';
import { ChatReportsRepository } from '../interaction/chat-reports.repository.js';
import { ChatRepository } from '../interaction/chat.repository.js';
import { PollsRepository } from '../interaction/polls.repository.js';
import { ParticipantsRepository } from '../participants/participants.repository.js';
import { SessionAddressesRepository } from '../participants/session-addresses.repository.js';
import { ConnectionsRepository } from '../presence/connections.repository.js';
import { RoomsRepository } from '../rooms/rooms.repository.js';
import { RosterRepository } from '../roster/roster.repository.js';
import { Pseudonymize } from './pseudonymize.js';

/** Erases a person from all classes, everyone from one, or all classes. A class that is not over stays as it is until it is. */
@Injectable()
export class EraseFromClasses {
  constructor(
    private readonly database: Database,
    private readonly rooms: RoomsRepository,
    private readonly participants: ParticipantsRepository,
    private readonly sessionAddresses: SessionAddressesRepository,
    private readonly connections: ConnectionsRepository,
    private readonly chat: ChatRepository,
    private readonly reports: ChatReportsRepository,
    private readonly polls: PollsRepository,
    private readonly consents: ConsentsRepository,
    private readonly roster: RosterRepository,
    private readonly minutes: ParticipantMinutesRepository,
    private readonly pseudonymize: Pseudonymize,
  ) {}

  @Handles(erasureRpc.room)
  execute(request: ErasureRequest): Promise<ErasureOutcome> {
    const { organizationId, subject } = request;
    if ('organization' in subject) return eraseOrganization(this.database, request);
    return applyErasure(this.database, request, (tx) => this.erase(tx, organizationId, subject));
  }

  private async erase(tx: Transaction, organizationId: string, subject: PersonOrClass): Promise<ErasureOutcome> {
    const { uid, roomId } = namedBy(subject);
    const classes = await this.rooms.listErasable(tx, organizationId, uid, roomId);
    const sids = classes.filter(({ isOver }) => isOver).map(({ sid }) => sid);
    const everyone = await this.participants.listPeople(tx, sids);
    const people = uid === null ? everyone : everyone.filter((person) => person.uid === uid);
    const counts = {
      'chat messages': uid === null ? await this.chat.deleteOf(tx, sids) : await this.chat.deleteBy(tx, people),
      'chat reports': uid === null ? await this.reports.deleteOf(tx, sids) : 0,
      polls: uid === null ? await this.polls.deleteOf(tx, sids) : 0,
      'measured minutes': await this.minutes.deleteBy(tx, people),
      'session addresses': await this.sessionAddresses.deleteBy(tx, people),
      'connection addresses': await this.connections.clearAddressesOf(tx, people),
      consents: await this.consents.countBy(tx, people),
      'roster entries': await this.roster.deleteFrom(tx, sids, uid),
      participants: await this.pseudonymize.replace(tx, people),
      'class details': uid === null ? await this.rooms.forgetDetails(tx, sids) : 0,
    };
    return { isComplete: sids.length === classes.length, counts };
  }
}
