import type { Participant } from '@classroom/contracts';
import { sealPicture } from '@classroom/platform';
import { AccessToken, TokenVerifier } from 'livekit-server-sdk';
import type { RoomConfig } from '../config.js';
import { unlimited, type ParticipantRights } from './participant-rights.js';
import { grantsOf } from './role-grants.js';

/** Attribute that states when a connection's token was signed (milliseconds since 1970): a removal invalidates older tokens. */
export const ISSUED_AT = 'issuedAt';
/** Attribute that says what a token is for. */
export const TOKEN_USE = 'use';
/** Attribute of a participant whom a recording neither shows nor plays. The recording page reads it. */
export const UNRECORDED = 'unrecorded';

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

export interface SignedToken {
  token: string;
  /** In whole seconds, as in the token. */
  expiresAt: Date;
}

type SigningConfig = Pick<RoomConfig, 'LIVEKIT_API_KEY' | 'LIVEKIT_API_SECRET' | 'JOIN_TOKEN_TTL_SECONDS' | 'CLASSROOM_URL'>;

/** Default: what the role may do. `mayConnect: false`: the token only opens sessions. */
export type TokenRights = Partial<ParticipantRights> & { mayConnect?: boolean };

/** A LiveKit access token for one participant in one room. It is signed locally, without a call to LiveKit. */
export async function signToken(
  config: SigningConfig,
  use: TokenUse,
  room: TokenRoom,
  participant: Participant,
  issuedAt: Date,
  { mayConnect = true, ...rights }: TokenRights = {},
): Promise<SignedToken> {
  const token = new AccessToken(config.LIVEKIT_API_KEY, config.LIVEKIT_API_SECRET, {
    identity: participant.uid,
    name: participant.name,
    ttl: config.JOIN_TOKEN_TTL_SECONDS,
    attributes: {
      role: participant.role,
      ...photoAttributes(config, use, room, participant),
      [ISSUED_AT]: String(issuedAt.getTime()),
      [TOKEN_USE]: use,
      ...(rights.isUnrecorded && { [UNRECORDED]: '1' }),
    },
  });
  token.addGrant({ ...grantsOf({ ...unlimited(participant.role), ...rights }, room.sid), roomJoin: mayConnect });
  const jwt = await token.toJwt();
  return { token: jwt, expiresAt: expiryOf(jwt) };
}

/**
 * `photo` is the path at which the gateway serves the photo: the class page and the recording page show it, each from its own origin.
 * `photoURL` is for other clients: in a media token the same path at CLASSROOM_URL, in a join token the address that the backend gave.
 */
function photoAttributes(
  { LIVEKIT_API_SECRET, CLASSROOM_URL }: SigningConfig,
  use: TokenUse,
  { organizationId }: TokenRoom,
  { photoURL }: Participant,
): Record<string, string> {
  if (!photoURL) return {};
  const photo = sealPicture(LIVEKIT_API_SECRET, organizationId, photoURL);
  return { photo, photoURL: use === 'media' ? new URL(photo, CLASSROOM_URL).href : photoURL };
}

/** Reads the expiry from the token, because the SDK computes it from its own reading of the clock. */
function expiryOf(jwt: string): Date {
  const payload = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as { exp: number };
  return new Date(payload.exp * 1000);
}

export interface JoinClaims {
  sid: string;
  uid: string;
  issuedAt: number;
}

type VerificationKeys = Pick<RoomConfig, 'LIVEKIT_API_KEY' | 'LIVEKIT_API_SECRET' | 'LIVEKIT_OTHER_KEYS'>;

/** @throws if the signature, the age, the shape or the use is wrong */
export async function verifyJoinToken(config: VerificationKeys, token: string): Promise<JoinClaims> {
  const keys = [{ key: config.LIVEKIT_API_KEY, secret: config.LIVEKIT_API_SECRET }, ...config.LIVEKIT_OTHER_KEYS];
  const claims = await Promise.any(keys.map(({ key, secret }) => new TokenVerifier(key, secret).verify(token, 0)));
  const sid = claims.video?.room;
  const issuedAt = Number(claims.attributes?.[ISSUED_AT]);
  // Earlier releases signed tokens without this claim. They are valid for JOIN_TOKEN_TTL_SECONDS and may still be used as links.
  const use = claims.attributes?.[TOKEN_USE] ?? (claims.video?.roomJoin ? ('join' satisfies TokenUse) : undefined);
  if (use !== 'join' || !sid || !claims.sub || !Number.isSafeInteger(issuedAt)) throw new Error('not a join token');
  return { sid, uid: claims.sub, issuedAt };
}
