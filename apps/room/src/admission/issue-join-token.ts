import { Inject, Injectable } from '@nestjs/common';
import type { Participant } from '@classroom/contracts';
import { Clock, CONFIG } from '@classroom/platform';
import type { RoomConfig } from '../config.js';
import { signToken, type TokenRoom } from '../roles/join-token.js';
import { consentEffects, NO_ANSWER, type ConsentRoom } from '../roles/recording-consent.js';
import { RoomsRepository } from '../rooms/rooms.repository.js';

type JoinedRoom = TokenRoom & Pick<ConsentRoom, 'recordingConsent'>;

export interface IssuedToken {
  token: string;
  iframeUrl: string;
  expiresAt: string;
}

export interface Issued {
  joined: IssuedToken;
  /** The participant had another role before, which an older token may still carry. */
  isRoleChanged: boolean;
}

/**
 * Stores the participant (latest name and role), makes a token and the address that contains it. The token is in the fragment,
 * so that it reaches no log and no referrer.
 */
@Injectable()
export class IssueJoinToken {
  constructor(
    @Inject(CONFIG) private readonly config: RoomConfig,
    private readonly rooms: RoomsRepository,
    private readonly clock: Clock,
  ) {}

  /** Undefined if the room has ended in the meantime. */
  async execute(room: JoinedRoom, participant: Participant): Promise<Issued | undefined> {
    const joined = await this.sign(room, participant);
    const admitted = await this.rooms.admit(room.sid, participant, { expiresAt: joined.expiresAt, at: this.clock.wall() });
    return admitted && { joined, isRoleChanged: admitted.isRoleChanged };
  }

  async sign(room: JoinedRoom, participant: Participant): Promise<IssuedToken> {
    const { isUnrecorded } = consentEffects({ ...room, isRecording: false }, { role: participant.role, ...NO_ANSWER });
    // Where the class asks before the join, only a session gives a token for LiveKit.
    const mayConnect = !isUnrecorded || room.recordingConsent?.ask !== 'join';
    const rights = { isUnrecorded, mayConnect };
    const { token, expiresAt } = await signToken(this.config, 'join', room, participant, this.clock.wall(), rights);
    const iframeUrl = `${this.config.CLASSROOM_URL}/r/${room.sid}#token=${token}`;
    return { token, iframeUrl, expiresAt: expiresAt.toISOString() };
  }
}
