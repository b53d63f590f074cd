import { Inject, Injectable } from '@nestjs/common';
import { AppError, classroomRpc, type ClassroomCaller, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { CONFIG, signClaims, verifyClaims } from '@classroom/platform';
import type { RoomConfig } from '../config.js';
import { verifyJoinToken } from '../livekit/join-token.js';
import { ClassAuthorizer } from '../participants/class-authorizer.js';
import { RoomReadsRepository } from '../rooms/room-reads.repository.js';
import { settingsOf } from '../schema/settings.js';

const ISSUER = 'virtual-classroom';
const AUDIENCE = 'classroom';

/** The claims of the page's bearer token. They never contain the organization's id, which is a secret. */
export interface ClassroomClaims {
  sid: string;
  uid: string;
  sessionNumber: number;
  issuedAt: number;
}

type Config = Pick<RoomConfig, 'CLASSROOM_TOKEN_SECRET'>;

/** The page renews its token while its participant is present. */
const TOKEN_TTL_SECONDS = 3_600;

export function signClassroomToken(
  config: Config,
  claims: Omit<ClassroomClaims, 'issuedAt'>,
  at: Date,
): { token: string; expiresAt: Date } {
  const issuedAt = at.getTime();
  const exp = Math.floor(issuedAt / 1000) + TOKEN_TTL_SECONDS;
  const own = { sid: claims.sid, ses: claims.sessionNumber, ms: issuedAt };
  const standard = { iss: ISSUER, aud: AUDIENCE, sub: claims.uid, exp };
  return { token: signClaims({ ...own, ...standard }, config.CLASSROOM_TOKEN_SECRET[0]), expiresAt: new Date(exp * 1000) };
}

/** @throws if the signature, the age or the shape is wrong */
export function verifyClassroomToken(config: Config, token: string): ClassroomClaims {
  const keys = config.CLASSROOM_TOKEN_SECRET.map((secret) => ({ secret, issuer: ISSUER }));
  const { sub, sid, ses, ms } = verifyClaims(token, keys, { audience: AUDIENCE });
  if (typeof sub !== 'string' || !sub || typeof sid !== 'string' || typeof ses !== 'number' || typeof ms !== 'number')
    throw new Error('not ours');
  return { sid, uid: sub, sessionNumber: ses, issuedAt: ms };
}

@Injectable()
export class Authenticate {
  constructor(
    @Inject(CONFIG) private readonly config: RoomConfig,
    private readonly rooms: RoomReadsRepository,
  ) {}

  /**
   * Identifies the caller by the signature and age of a bearer token. `participant` accepts a join token or a classroom token,
   * `classroom` only the latter.
   * @throws AppError UNAUTHORIZED
   */
  @Handles(classroomRpc.authenticate)
  async execute({ bearer, accept }: RpcInput<typeof classroomRpc.authenticate>): Promise<ClassroomCaller> {
    const claims = this.verify(bearer, accept);
    const room = await this.rooms.findBySid(claims.sid);
    if (!room) throw new AppError('UNAUTHORIZED');
    return { ...claims, organizationId: room.organizationId };
  }

  private verify(bearer: string, accept: 'participant' | 'classroom') {
    try {
      return verifyClassroomToken(this.config, bearer);
    } catch (cause) {
      if (accept === 'classroom') throw new AppError('UNAUTHORIZED', { cause });
    }
    try {
      return { ...verifyJoinToken(this.config, bearer), sessionNumber: null };
    } catch (cause) {
      throw new AppError('UNAUTHORIZED', { cause });
    }
  }
}

/** Authorizes what another service does on behalf of a participant. */
@Injectable()
export class Authorize {
  constructor(
    private readonly database: Database,
    private readonly authorizer: ClassAuthorizer,
  ) {}

  /** @throws AppError UNAUTHORIZED, FORBIDDEN, ROOM_ENDED */
  @Handles(classroomRpc.authorize)
  async execute({ caller, permission }: RpcInput<typeof classroomRpc.authorize>) {
    const { room, participant } = await this.database.transaction((tx) =>
      permission ? this.authorizer.requirePermission(tx, caller, permission) : this.authorizer.requireCurrentSession(tx, caller),
    );
    const { organizationId, roomId } = room;
    return { organizationId, roomId, mayUseAi: settingsOf(room).consent.ai && participant.mayUseAi, name: participant.name };
  }
}
