import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  answerConsent,
  AppError,
  listConsents,
  type OwnConsent,
  type RecordingConsent,
  type RpcInput,
  type RpcOutput,
} from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { cursorOf, Database } from '@classroom/persistence';
import { Clock, failpoint } from '@classroom/platform';
import { z } from 'zod';
import { RoomReadsRepository } from '../rooms/room-reads.repository.js';
import { settingsOf } from '../schema/settings.js';
import { ClassAuthorizer } from './class-authorizer.js';
import { ConsentsRepository } from './consents.repository.js';
import { consentEffects, rightsOf, RightsReconciler, type ConsentAnswer, type ConsentRoom } from './participant-rights.js';
import { ParticipantsRepository } from './participants.repository.js';

/** As the participant sees it. Undefined if the class asks for none, or has not asked yet. */
export function toOwnConsent(room: ConsentRoom, participant: ConsentAnswer): OwnConsent | undefined {
  const { state, isAsked, isMuted } = consentEffects(room, participant);
  const { recording: asked } = settingsOf(room).consent;
  if (!asked || !state || (state === 'REQUIRED' && !isAsked)) return undefined;
  return { ...questionOf(asked), state, isMuted };
}

const questionOf = ({ version, text, ask, without }: RecordingConsent) => ({ purpose: 'recording', version, text, ask, without });

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

/** The id of the last answer of a page. */
const cursors = cursorOf(z.number().int().min(0));

/** The record of answers for the organization's backend, also after the class. */
@Injectable()
export class ListConsents {
  constructor(
    private readonly rooms: RoomReadsRepository,
    private readonly consents: ConsentsRepository,
  ) {}

  /** @throws AppError ROOM_NOT_FOUND, VALIDATION_FAILED (cursor) */
  @Handles(listConsents)
  async execute({ organizationId, roomId, cursor, limit }: RpcInput<typeof listConsents>): Promise<RpcOutput<typeof listConsents>> {
    const after = cursor === undefined ? 0 : cursors.decode(cursor);
    const room = await this.rooms.find(organizationId, roomId);
    if (!room) throw new AppError('ROOM_NOT_FOUND');
    const rows = await this.consents.page(organizationId, room.sid, after, limit + 1);
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return {
      consents: shown.map(({ id: _, answeredAt, ...consent }) => ({ ...consent, answeredAt: answeredAt.toISOString() })),
      nextCursor: last ? cursors.encode(last.id) : null,
    };
  }
}
