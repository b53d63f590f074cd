import { createSigner, createVerifier } from 'fast-jwt';

const ALGORITHM = 'HS256';

/** Claims of a JWT. Times are in seconds since 1970. */
export interface Claims {
  iss: string;
  sub: string;
  exp: number;
  nbf?: number;
  iat?: number;
}

/** @returns a JWT, signed by HMAC-SHA256 on this thread, which is faster than with WebCrypto. @param typ of its header */
export function signClaims(claims: Claims, secret: string, typ = 'JWT'): string {
  const sign = createSigner({ key: secret, algorithm: ALGORITHM, header: { alg: ALGORITHM, typ }, noTimestamp: claims.iat === undefined });
  return sign(claims);
}

/** By whom a token may be signed. */
export interface Signatory {
  secret: string;
  issuer: string;
}

/** What a token must have in addition. */
export interface Expectations {
  audience?: string;
  typ?: string;
  /** Whether a token is accepted before its `nbf`. */
  mayBeEarly?: boolean;
  /** Milliseconds by which the signatory's clock may differ. */
  clockTolerance?: number;
}

/**
 * @returns the claims of a token of one of the signatories. Their shape is the caller's to check.
 * @throws the error of the first signatory if the token is of none of them, without an end, or not valid now
 */
export function verifyClaims(token: string, signatories: readonly Signatory[], expectations: Expectations = {}): Record<string, unknown> {
  const { audience, typ, mayBeEarly = false, clockTolerance = 0 } = expectations;
  let first: unknown;
  for (const { secret, issuer } of signatories) {
    const verify = createVerifier({
      key: secret,
      algorithms: [ALGORITHM],
      allowedIss: issuer,
      // A claim that a token does not have is otherwise not checked.
      requiredClaims: ['iss', 'exp', ...(audience === undefined ? [] : ['aud'])],
      ...(audience !== undefined && { allowedAud: audience }),
      ...(typ !== undefined && { checkTyp: typ }),
      ignoreNotBefore: mayBeEarly,
      clockTolerance,
      cache: false,
    });
    try {
      return verify(token) as Record<string, unknown>;
    } catch (error) {
      first ??= error;
    }
  }
  throw first ?? new Error('There is no signatory.');
}
