import { Injectable } from '@nestjs/common';
import {
  role as roleSchema,
  ROLE_PERMISSIONS,
  type Admission,
  type Grants,
  type OwnConsent,
  type PermissionOverrides,
  type Role,
  type RoomSettings,
} from '@classroom/contracts';
import { Clock, inParallel, logger } from '@classroom/platform';
import { TrackSource } from 'livekit-server-sdk';
import { ALL_SOURCES, sourcesOf, unlimited, UNRECORDED, type ParticipantRights } from '../livekit/join-token.js';
import type { LiveKitParticipant } from '../livekit/livekit-person.js';
import { LiveKitRooms } from '../livekit/livekit-rooms.js';
import type { Room } from '../rooms/room.js';
import { settingsOf, type WithSettings } from '../schema/settings.js';
import { ParticipantsRepository } from './participants.repository.js';

/** What the latest token of a participant says. */
export interface OwnPermissions {
  role: Role;
  permissions: PermissionOverrides | null;
}

/** What a participant may do: what is said of the participant comes before what is said of the role in this room, and that before the role. */
export const permissionsOf = (room: WithSettings, { role, permissions }: OwnPermissions): Grants => ({
  ...ROLE_PERMISSIONS[role],
  ...settingsOf(room).permissions[role],
  ...permissions,
});

/** Whether people with this role wait until they are admitted. */
export function isRoleWaiting(room: WithSettings, role: Role): boolean {
  const { waitingRoom } = settingsOf(room);
  if (waitingRoom === 'OFF' || role === 'ADMIN') return false;
  return waitingRoom === 'ALL' || !ROLE_PERMISSIONS[role].manageParticipants;
}

/** Whether the participant has no place in class yet: the role waits, and they were not admitted. */
export const isOutside = (room: WithSettings, { role, admission }: { role: Role; admission: Admission | null }): boolean =>
  admission !== 'ADMITTED' && isRoleWaiting(room, role);

/** The columns of a room that decide about consent. */
export interface ConsentRoom extends WithSettings {
  isRecording: boolean;
}

/** A participant's role, permissions and latest answer. */
export interface ConsentAnswer extends OwnPermissions {
  consentVersion: string | null;
  consentGranted: boolean | null;
}

export interface ConsentEffects {
  /** Undefined if the class asks this participant for no consent. */
  state: OwnConsent['state'] | undefined;
  /** Whether the answer matters now: at the join, or while a recording runs. */
  isAsked: boolean;
  /** Publishes nothing. */
  isMuted: boolean;
  /** Neither shown nor played by a recording. */
  isUnrecorded: boolean;
  /** Has no place in class. */
  isRefused: boolean;
}

const NONE: ConsentEffects = { state: undefined, isAsked: false, isMuted: false, isUnrecorded: false, isRefused: false };

export const NO_ANSWER = { consentVersion: null, consentGranted: null };

/** What a participant's answer means in a class. Who may start a recording is not asked: they consent by starting it. */
export function consentEffects(room: ConsentRoom, participant: ConsentAnswer): ConsentEffects {
  const { recording } = settingsOf(room).consent;
  const { consentVersion, consentGranted } = participant;
  if (!recording || permissionsOf(room, participant).startRecording) return NONE;
  const { ask, without, version } = recording;
  const isAsked = ask === 'join' || room.isRecording;
  if (consentVersion !== version || consentGranted === null)
    return { state: 'REQUIRED', isAsked, isMuted: isAsked && without !== 'hide', isUnrecorded: true, isRefused: false };
  if (consentGranted) return { ...NONE, state: 'GRANTED', isAsked };
  return {
    state: 'REFUSED',
    isAsked,
    isMuted: isAsked && without !== 'hide',
    isUnrecorded: true,
    isRefused: isAsked && without === 'refuse',
  };
}

/** What the rows of a participant and the room allow. */
export function rightsOf(
  room: ConsentRoom,
  participant: ConsentAnswer & { maySpeak: boolean; admission: Admission | null },
): ParticipantRights {
  const { isMuted, isUnrecorded, isRefused } = consentEffects(room, participant);
  const { role, permissions } = participant;
  // No teacher allows what the organization's backend forbids this participant.
  const maySpeak = participant.maySpeak && permissions?.publishAudio !== false;
  const isOut = isRefused || isOutside(room, participant);
  return { role, permissions: permissionsOf(room, participant), maySpeak, isMuted, isUnrecorded, isRefused: isOut };
}

type RightsByUid = ReadonlyMap<string, ParticipantRights>;

/** The rights that a participant should have and that differ from those in LiveKit. */
type RightsCorrection = ParticipantRights & { uid: string; changedAt?: Date };

/** A class, and its participants according to LiveKit. */
export interface ClassToCorrect {
  room: Room;
  participants: readonly LiveKitParticipant[];
}

/** Classes whose rights are corrected at once. */
const CLASSES_IN_PARALLEL = 16;
/** Calls to LiveKit at once, for a class whose rights change together. */
const CALLS_IN_PARALLEL = 8;

/** The rights of a class's participants. Our rows decide; LiveKit knows only what a token states, and is corrected. */
@Injectable()
export class RightsReconciler {
  constructor(
    private readonly participants: ParticipantsRepository,
    private readonly livekit: LiveKitRooms,
    private readonly clock: Clock,
  ) {}

  /** Corrects in LiveKit the rights of participants who have other ones than our rows say, because of an old token or a failed call. */
  async correct(classes: readonly ClassToCorrect[]): Promise<void> {
    if (classes.length === 0) return;
    const rights = await this.findRights(classes);
    await inParallel(classes, CLASSES_IN_PARALLEL, ({ room, participants }) =>
      this.applyCorrections(room.sid, mismatches(rights.get(room.sid) ?? new Map(), participants)),
    );
  }

  /**
   * By room, the rights by uid of the participants whose token may not state them: those with permission to speak, with a changed role or with
   * permissions of their own; in a class whose settings decide about rights, those of everyone.
   */
  private async findRights(classes: readonly ClassToCorrect[]): Promise<ReadonlyMap<string, RightsByUid>> {
    const found = new Map(classes.map(({ room }) => [room.sid, { room, rights: new Map<string, ParticipantRights>() }]));
    const asked = classes
      .filter(({ room }) => decidesRights(settingsOf(room)))
      .flatMap(({ room: { sid }, participants }) => participants.map(({ identity: uid = '' }) => ({ sid, uid })));
    const changed = await this.participants.listChangedRights([...found.keys()]);
    const rows = asked.length > 0 ? [...changed, ...(await this.participants.listRights(asked))] : changed;
    for (const row of rows) {
      const of = found.get(row.sid);
      of?.rights.set(row.uid, rightsOf(of.room, row));
    }
    return new Map([...found].map(([sid, { rights }]) => [sid, rights]));
  }

  /** Applies the rights in a participant's row, if they are connected, and has their page request its session again. */
  async applyOwn(room: Room, uid: string): Promise<void> {
    const [row] = await this.participants.listRights([{ sid: room.sid, uid }]);
    if (row) await this.applyCorrections(room.sid, [{ uid, ...rightsOf(room, row), changedAt: this.clock.wall() }]);
  }

  /** Evicts who has no place without consent or admission. If LiveKit is unreachable, the reconciler corrects the rights later. */
  async applyCorrections(sid: string, corrections: readonly RightsCorrection[]): Promise<void> {
    await inParallel(corrections, CALLS_IN_PARALLEL, async ({ uid, changedAt, ...rights }) => {
      const call = rights.isRefused ? this.livekit.remove(sid, uid) : this.livekit.grant(sid, uid, rights, changedAt);
      await call.catch((error: unknown) => {
        logger.warn({ err: error, sid }, 'permissions not yet applied in LiveKit; will retry');
      });
    });
  }
}

/** The participants of a list who have other rights in LiveKit, each with the right ones. */
function mismatches(rightsOverridingToken: RightsByUid, participants: readonly LiveKitParticipant[]): RightsCorrection[] {
  return participants.flatMap(({ identity = '', attributes, permission }) => {
    const role = roleSchema.safeParse(attributes?.['role']).data;
    const rights = rightsOverridingToken.get(identity) ?? (role && unlimited(role));
    if (!rights) return [];
    const isRight =
      role === rights.role &&
      publishes(permission) === sourcesOf(rights).join() &&
      Boolean(attributes?.[UNRECORDED]) === rights.isUnrecorded &&
      !rights.isRefused;
    return isRight ? [] : [{ uid: identity, ...rights }];
  });
}

/** Whether tokens of the class may be without what its settings say about rights. */
const decidesRights = ({ consent, waitingRoom, permissions }: RoomSettings) =>
  consent.recording !== null || waitingRoom !== 'OFF' || Object.keys(permissions).length > 0;

/** What LiveKit permits to publish, in one comparable text. An empty list of sources permits all of them. Webhooks name sources, lists number them. */
function publishes(permission: LiveKitParticipant['permission']): string {
  const { canPublish = false, canPublishSources: sources = [] } = permission ?? {};
  if (!canPublish) return '';
  if (sources.length === 0) return ALL_SOURCES.join();
  return sources
    .map((source) => (typeof source === 'string' ? TrackSource[source] : source))
    .sort()
    .join();
}
