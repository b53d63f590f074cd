import type { Role } from '@classroom/contracts';
import type { TrackSource } from 'livekit-server-sdk';
import { ISSUED_AT, TOKEN_USE, type TokenUse } from './join-token.js';

/** A person's connection as LiveKit describes it. `joinedAt` in whole seconds of LiveKit's clock since 1970. */
export interface Person {
  connectionSid: string;
  uid: string;
  name: string;
  role: string;
  ip: string | null;
  joinedAt: number;
}

/** LiveKit's ParticipantInfo.Kind and State, by number and by the names that webhooks use. */
const PERSON_KINDS = new Set<unknown>([0, 3, 'STANDARD', 'SIP', undefined]);
const ACTIVE_STATES = new Set<unknown>([2, 'ACTIVE']);
const DISCONNECTED_STATES = new Set<unknown>([3, 'DISCONNECTED']);

/** The fields that we read of a LiveKit participant, in webhook form (JSON: int64 as text) or API form (bigint). */
export interface LiveKitParticipant {
  sid?: string;
  identity?: string;
  name?: string;
  attributes?: Record<string, string>;
  joinedAt?: bigint | string | number;
  joinedAtMs?: bigint | string | number;
  kind?: unknown;
  state?: unknown;
  permission?:
    | { hidden?: boolean; canPublish?: boolean; canPublishSources?: readonly (TrackSource | keyof typeof TrackSource)[] }
    | undefined;
}

/** Recorders, agents and hidden participants are not persons: they are never counted or billed, and no class waits for them. */
export const isPerson = ({ kind, permission, identity }: LiveKitParticipant) =>
  PERSON_KINDS.has(kind) && permission?.hidden !== true && identity !== undefined && identity !== '';

export const isActive = ({ state }: LiveKitParticipant) => ACTIVE_STATES.has(state);
export const isDisconnected = ({ state }: LiveKitParticipant) => DISCONNECTED_STATES.has(state);

/**
 * @param changedRoles roles by uid that replace that of the token
 * @param addresses IP addresses by connection, which LiveKit does not report
 */
export function toPerson(
  participant: LiveKitParticipant,
  changedRoles: ReadonlyMap<string, Role>,
  addresses: ReadonlyMap<string, string>,
): Person {
  const { identity: uid = '', sid: connectionSid = '' } = participant;
  return {
    connectionSid,
    uid,
    name: participant.name ?? '',
    role: changedRoles.get(uid) ?? participant.attributes?.['role'] ?? 'STUDENT',
    ip: addresses.get(connectionSid) ?? null,
    joinedAt: Number(participant.joinedAt ?? 0),
  };
}

/** Milliseconds since 1970 at which the token of this connection was signed; 0 if LiveKit does not report it. */
export const tokenIssuedAt = ({ attributes }: LiveKitParticipant) => Number(attributes?.[ISSUED_AT] ?? 0) || 0;

/** Whether this connection was made with a session's media token. */
export const isMediaToken = ({ attributes }: LiveKitParticipant) => attributes?.[TOKEN_USE] === ('media' satisfies TokenUse);

export const joinedAtMs = ({ joinedAtMs, joinedAt }: LiveKitParticipant) => Number(joinedAtMs ?? 0) || Number(joinedAt ?? 0) * 1000;
