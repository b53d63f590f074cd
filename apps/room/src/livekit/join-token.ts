import { ROLE_PERMISSIONS, type Grants, type Participant, type Role } from '@classroom/contracts';
import { acceptedLiveKitKeys, sealPicture, signClaims, verifyClaims } from '@classroom/platform';
import { claimsToJwtPayload, TrackSource, type ClaimGrants, type VideoGrant } from 'livekit-server-sdk';
import type { RoomConfig } from '../config.js';

/** What a participant may do, according to our rows. */
export interface ParticipantRights {
  role: Role;
  permissions: Grants;
  /** A student who has permission to speak. */
  maySpeak: boolean;
  /** Publishes nothing, because consent to a recording is missing. */
  isMuted: boolean;
  /** Neither shown nor played by a recording. */
  isUnrecorded: boolean;
  /** Has no place in class, because consent or admission is missing. */
  isRefused: boolean;
}

/** The rights of a participant whom no class asks for consent, and of whom nothing but the role is said. */
export const unlimited = (role: Role): ParticipantRights => ({
  role,
  permissions: ROLE_PERMISSIONS[role],
  maySpeak: false,
  isMuted: false,
  isUnrecorded: false,
  isRefused: false,
});

/** In ascending order. */
export const ALL_SOURCES = [TrackSource.CAMERA, TrackSource.MICROPHONE, TrackSource.SCREEN_SHARE, TrackSource.SCREEN_SHARE_AUDIO];

type PublishRights = Pick<ParticipantRights, 'permissions' | 'maySpeak' | 'isMuted'>;

/** What a participant may publish, in the order of `ALL_SOURCES`; for a student with permission to speak also the microphone. */
export function sourcesOf({ permissions, maySpeak, isMuted }: PublishRights): TrackSource[] {
  if (isMuted) return [];
  return [
    ...(permissions.publishVideo ? [TrackSource.CAMERA] : []),
    ...(permissions.publishAudio || maySpeak ? [TrackSource.MICROPHONE] : []),
    ...(permissions.shareScreen ? [TrackSource.SCREEN_SHARE, TrackSource.SCREEN_SHARE_AUDIO] : []),
  ];
}

/** What LiveKit permits a participant to do. No participant is room admin or may change its own attributes: moderation uses our API. */
export function grantsOf(rights: PublishRights, sid: string): VideoGrant {
  const sources = sourcesOf(rights);
  return {
    room: sid,
    roomJoin: true,
    roomAdmin: false,
    canSubscribe: true,
    canPublish: sources.length > 0,
    // The server sends everything that a class shows; our clients send no data packets.
    canPublishData: false,
    canUpdateOwnMetadata: false,
    ...(sources.length > 0 ? { canPublishSources: sources } : {}),
  };
}

/** Attribute that states when a connection's token was signed (milliseconds since 1970): a removal invalidates older tokens. */
export const ISSUED_AT = 'issuedAt';
/** Attribute that says what a token is for. */
export const TOKEN_USE = 'use';
/**
 * Attribute of a join token: until when it opens sessions (milliseconds since 1970). LiveKit sends connected clients fresh tokens with the attributes of the
 * first one, and a later expiry.
 */
const JOIN_UNTIL = 'joinUntil';
/** Attribute of a participant whom a recording neither shows nor plays. The recording page reads it. */
export const UNRECORDED = 'unrecorded';

/** Attribute that changes with the permissions that only this participant has: the page then requests its session again. */
export const RIGHTS_CHANGED = 'rightsChangedAt';
/** LiveKit attribute of a participant who is shown large to everyone: since when, in milliseconds since 1970. */
export const SPOTLIT = 'spotlit';

/**
 * A `join` token opens sessions, and connects to LiveKit for a client that has no other token; not where the class first asks for consent. A
 * `media` token belongs to a session and can only connect to LiveKit.
 */
export type TokenUse = 'join' | 'media';

/** The room that a token is for. */
export interface TokenRoom {
  sid: string;
  organizationId: string;
}

/** Of whom the token is. */
export type TokenParticipant = Pick<Participant, 'uid' | 'name' | 'role' | 'photoURL'>;

export interface SignedToken {
  token: string;
  /** In whole seconds, as in the token. */
  expiresAt: Date;
}

const toSeconds = (date: Date) => Math.floor(date.getTime() / 1000);

type SigningConfig = Pick<RoomConfig, 'LIVEKIT_API_KEY' | 'LIVEKIT_API_SECRET' | 'JOIN_TOKEN_TTL_SECONDS' | 'CLASSROOM_URL'>;

/** When a token can be used. Default: from its signature on, for JOIN_TOKEN_TTL_SECONDS. */
export interface TokenValidity {
  notBefore: Date;
  expiresAt: Date;
}

/** Default: what the role allows. `mayConnect: false`: the token only opens sessions. */
export type TokenRights = Partial<ParticipantRights> & { mayConnect?: boolean };

/** A LiveKit access token for one participant in one room. It is signed locally, without a call to LiveKit. */
export function signToken(
  config: SigningConfig,
  use: TokenUse,
  room: TokenRoom,
  participant: TokenParticipant,
  issuedAt: Date,
  { mayConnect = true, ...rights }: TokenRights = {},
  validity?: TokenValidity,
): SignedToken {
  const notBefore = toSeconds(validity?.notBefore ?? issuedAt);
  const expiresAt = validity ? toSeconds(validity.expiresAt) : notBefore + config.JOIN_TOKEN_TTL_SECONDS;
  const payload = claimsToJwtPayload({
    name: participant.name,
    attributes: {
      role: participant.role,
      ...photoAttributes(config, use, room, participant),
      [ISSUED_AT]: String(issuedAt.getTime()),
      [TOKEN_USE]: use,
      ...(use === 'join' && { [JOIN_UNTIL]: String(expiresAt * 1000) }),
      ...(rights.isUnrecorded && { [UNRECORDED]: '1' }),
    },
    video: { ...grantsOf({ ...unlimited(participant.role), ...rights }, room.sid), roomJoin: mayConnect },
  });
  const standard = { iss: config.LIVEKIT_API_KEY, sub: participant.uid, nbf: notBefore, exp: expiresAt };
  const token = signClaims({ ...payload, ...standard }, config.LIVEKIT_API_SECRET);
  return { token, expiresAt: new Date(expiresAt * 1000) };
}

/**
 * `photo` is the path at which the gateway serves the photo: the class page and the recording page show it, each from its own origin.
 * `photoURL` is for other clients: in a media token the same path at CLASSROOM_URL, in a join token the address that the backend gave.
 */
function photoAttributes(
  { LIVEKIT_API_SECRET, CLASSROOM_URL }: SigningConfig,
  use: TokenUse,
  { organizationId }: TokenRoom,
  { photoURL }: TokenParticipant,
): Record<string, string> {
  if (!photoURL) return {};
  const photo = sealPicture(LIVEKIT_API_SECRET, organizationId, photoURL);
  return { photo, photoURL: use === 'media' ? new URL(photo, CLASSROOM_URL).href : photoURL };
}

export interface JoinClaims {
  sid: string;
  uid: string;
  issuedAt: number;
  /** From when the token can be used, in milliseconds since 1970, if that is later than now. */
  notBefore?: number;
}

type VerificationKeys = Pick<RoomConfig, 'LIVEKIT_API_KEY' | 'LIVEKIT_API_SECRET' | 'LIVEKIT_OTHER_KEYS'>;

/** A token that cannot be used yet is accepted: its `notBefore` says so. @throws if the signature, the age, the shape or the use is wrong */
export function verifyJoinToken(config: VerificationKeys, token: string): JoinClaims {
  const claims: ClaimGrants = verifyClaims(token, acceptedLiveKitKeys(config), { mayBeEarly: true });
  const notBefore = (claims.nbf ?? 0) * 1000;
  const sid = claims.video?.room;
  const issuedAt = Number(claims.attributes?.[ISSUED_AT]);
  if (claims.attributes?.[TOKEN_USE] !== ('join' satisfies TokenUse) || !sid || !claims.sub || !Number.isSafeInteger(issuedAt))
    throw new Error('not a join token');
  if (!(Number(claims.attributes?.[JOIN_UNTIL]) > Date.now())) throw new Error('the join token has expired');
  return { sid, uid: claims.sub, issuedAt, ...(notBefore > Date.now() && { notBefore }) };
}
