import type { Right } from './right.js';
import { ISSUED_AT, TOKEN_USE, type TokenUse } from '../roles/join-token.js';

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
const PEOPLE = new Set<unknown>([0, 3, 'STANDARD', 'SIP', undefined]);
const ACTIVE = new Set<unknown>([2, 'ACTIVE']);
const DISCONNECTED = new Set<unknown>([3, 'DISCONNECTED']);

/** What we read of LiveKit's participant, in its webhook (JSON: int64 as text) or API form (bigint). */
export interface LiveKitParticipant {
  sid?: string;
  identity?: string;
  name?: string;
  attributes?: Record<string, string>;
  joinedAt?: bigint | string | number;
  joinedAtMs?: bigint | string | number;
  kind?: unknown;
  state?: unknown;
  permission?: { hidden?: boolean; canPublish?: boolean } | undefined;
}

/** Recorders, agents and whoever is hidden are none: they are never counted, billed, or waited for. */
export const isPerson = ({ kind, permission, identity }: LiveKitParticipant) =>
  PEOPLE.has(kind) && permission?.hidden !== true && identity !== undefined && identity !== '';

export const isActive = ({ state }: LiveKitParticipant) => ACTIVE.has(state);
export const isDisconnected = ({ state }: LiveKitParticipant) => DISCONNECTED.has(state);

/** `untold`: whose role is not the one that their token told LiveKit; `addresses` by connection, which LiveKit does not tell. */
export function toPerson(
  participant: LiveKitParticipant,
  untold: ReadonlyMap<string, Right>,
  addresses: ReadonlyMap<string, string>,
): Person {
  const { identity: uid = '', sid: connectionSid = '' } = participant;
  return {
    connectionSid,
    uid,
    name: participant.name ?? '',
    role: untold.get(uid)?.role ?? participant.attributes?.['role'] ?? 'STUDENT',
    ip: addresses.get(connectionSid) ?? null,
    joinedAt: Number(participant.joinedAt ?? 0),
  };
}

/** Milliseconds since 1970 at which the token of this connection was signed; 0 where it does not say. */
export const tokenIssuedAt = ({ attributes }: LiveKitParticipant) => Number(attributes?.[ISSUED_AT] ?? 0) || 0;

/** Whether this connection was made by a session's token. */
export const isMediaToken = ({ attributes }: LiveKitParticipant) => attributes?.[TOKEN_USE] === ('media' satisfies TokenUse);

export const joinedAtMs = ({ joinedAtMs, joinedAt }: LiveKitParticipant) => Number(joinedAtMs ?? 0) || Number(joinedAt ?? 0) * 1000;
