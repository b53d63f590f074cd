import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { answerConsent, AppError, type OwnConsent, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Clock, failpoint } from '@classroom/platform';
import { ClassAuthorizer } from '../participants/class-authorizer.js';
import { ParticipantsRepository } from '../participants/participants.repository.js';
import { RightsReconciler } from '../participants/rights-reconciler.js';
import { rightsOf } from '../roles/participant-rights.js';
import { ConsentsRepository } from './consents.repository.js';
import { toOwnConsent } from './to-own-consent.js';
import { settingsOf } from '../schema/settings.js';

/** A participant grants, refuses or withdraws consent to recordings. */
@Injectable()
export class AnswerConsent {
  constructor(
    private readonly database: Database,
    private readonly authorizer: ClassAuthorizer,
    private readonly participants: ParticipantsRepository,
    private readonly consents: ConsentsRepository,
    private readonly rights: RightsReconciler,
    private readonly clock: Clock,
  ) {}

  /**
   * The answer counts from the commit, and in LiveKit as soon as LiveKit answers. An answer that changes nothing is not recorded again.
   * @throws AppError UNAUTHORIZED, ROOM_ENDED, CONSENT_NOT_ASKED
   */
  @Handles(answerConsent)
  async execute({ caller, purpose, version, granted }: RpcInput<typeof answerConsent>): Promise<OwnConsent> {
    const { room, participant, consent } = await this.database.transaction(async (tx) => {
      const { room, participant: before } = await this.authorizer.requireParticipant(tx, caller);
      const asked = settingsOf(room).consent.recording;
      const participant = { ...before, consentVersion: version, consentGranted: granted };
      const consent = toOwnConsent(room, participant);
      if (!asked || !consent || version !== asked.version) throw new AppError('CONSENT_NOT_ASKED');
      if (before.consentVersion !== version || before.consentGranted !== granted) {
        const { sid, organizationId } = room;
        const textHash = createHash('sha256').update(asked.text).digest('hex');
        const answeredAt = this.clock.wall();
        await this.participants.answerConsent(tx, sid, caller.uid, version, granted);
        await this.consents.insert(tx, { organizationId, sid, uid: caller.uid, purpose, version, textHash, granted, answeredAt });
      }
      return { room, participant, consent };
    });
    await failpoint('room.consent.after-commit');
    await this.rights.applyCorrections(room.sid, [{ uid: caller.uid, ...rightsOf(room, participant) }]);
    return consent;
  }
}
