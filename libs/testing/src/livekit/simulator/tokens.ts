import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { type ParticipantKind, type Permission, participantKinds } from './messages.js';
import { PlainError } from './twirp-error.js';

export interface VideoGrant {
  roomCreate?: boolean;
  roomList?: boolean;
  roomAdmin?: boolean;
  roomJoin?: boolean;
  room?: string;
  canPublish?: boolean;
  canSubscribe?: boolean;
  canPublishData?: boolean;
  canPublishSources?: string[];
  canUpdateOwnMetadata?: boolean;
  hidden?: boolean;
  recorder?: boolean;
  agent?: boolean;
}

export interface Claims {
  iss?: string;
  sub?: string;
  jti?: string;
  exp?: number;
  nbf?: number;
  name?: string;
  kind?: string;
  metadata?: string;
  attributes?: Record<string, string>;
  video?: VideoGrant;
}

/** protocol/auth/verifier.go tokenLeeway: an expired token is accepted for one more minute. Never scaled. */
const leewaySeconds = 60;

/**
 * Verifies a token as pkg/service/auth.go does.
 * @throws PlainError with the plain-text 401 of the middleware
 */
export function verifyToken(token: string, keys: ReadonlyMap<string, string>, nowMs = Date.now()): Claims {
  const [head, body, signature, ...rest] = token.split('.');
  const claims = decode(body);
  if (decode(head)?.['alg'] !== 'HS256' || !claims || !signature || rest.length > 0) {
    throw new PlainError(401, 'invalid authorization token');
  }
  const key = String(claims['iss'] ?? '');
  const secret = keys.get(key);
  if (!secret) throw new PlainError(401, `invalid API key: ${key}`);
  const expected = createHmac('sha256', secret).update(`${head}.${body}`).digest();
  const given = Buffer.from(signature, 'base64url');
  const refuse = (reason: string) => new PlainError(401, `invalid token: ${token}, error: ${reason}`);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw refuse('token signature is invalid: signature is invalid');
  }
  const now = nowMs / 1000;
  const { exp, nbf } = claims as Claims;
  if (exp !== undefined && now > exp + leewaySeconds) throw refuse('token has invalid claims: token is expired');
  if (nbf !== undefined && now < nbf - leewaySeconds) throw refuse('token has invalid claims: token is not valid yet');
  return claims as Claims;
}

/** The token that LiveKit adds to a webhook: valid for five minutes, `sha256` of the body in base64. */
export function signWebhook(body: string, apiKey: string, secret: string, nowMs = Date.now()): string {
  const now = Math.floor(nowMs / 1000);
  const sha256 = createHash('sha256').update(body).digest('base64');
  return signToken({ iss: apiKey, exp: now + 300, nbf: now, iat: now, sha256 }, secret);
}

export function signToken(claims: object, secret: string): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

export const identityOf = (claims: Claims): string => claims.sub || claims.jti || '';

export function kindOf(claims: Claims): ParticipantKind {
  const name = (claims.kind ?? '').toUpperCase();
  return participantKinds.find((kind) => kind === name) ?? 'STANDARD';
}

/** protocol/auth/grants.go ToPermission: an omitted permission is granted; data follows publish. */
export function permissionOf(grant: VideoGrant): Permission {
  const canPublish = grant.canPublish ?? true;
  return {
    canSubscribe: grant.canSubscribe ?? true,
    canPublish,
    canPublishData: grant.canPublishData ?? canPublish,
    canPublishSources: (grant.canPublishSources ?? []).map((source) => source.toUpperCase()),
    hidden: grant.hidden ?? false,
    recorder: grant.recorder ?? false,
    canUpdateMetadata: grant.canUpdateOwnMetadata ?? false,
    agent: grant.agent ?? false,
    canSubscribeMetrics: false,
    canManageAgentSession: false,
  };
}

function decode(part: string | undefined): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part ?? '', 'base64url').toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
