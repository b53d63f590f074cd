import { createSigner, createVerifier } from 'fast-jwt';

const ALGORITHM = 'HS256';

/** Standard claims of a JWT. Times are in seconds since 1970. */
export interface StandardClaims {
  iss: string;
  sub: string;
  exp: number;
  nbf?: number;
  iat?: number;
}

/** @returns a JWT, signed by HMAC-SHA256 on this thread, which is faster than with WebCrypto. @param typ of its header */
export function signClaims(claims: StandardClaims, secret: string, typ = 'JWT'): string {
  const sign = createSigner({ key: secret, algorithm: ALGORITHM, header: { alg: ALGORITHM, typ }, noTimestamp: claims.iat === undefined });
  return sign(claims);
}

/** A key with which an issuer signs. */
export interface IssuerKey {
  issuer: string;
  secret: string;
}

/** What a token must have in addition. */
export interface Expectations {
  audience?: string;
  typ?: string;
  /** Whether a token is accepted before its `nbf`. */
  mayBeEarly?: boolean;
  /** Milliseconds by which the issuer's clock may differ. */
  clockTolerance?: number;
}

/**
 * @returns the claims of a token that one of the keys has signed. Their shape is the caller's to check.
 * @throws the error of the first key if none of them has signed the token, or it has no end, or it is not valid now
 */
export function verifyClaims(token: string, keys: readonly IssuerKey[], expectations: Expectations = {}): Record<string, unknown> {
  const { audience, typ, mayBeEarly = false, clockTolerance = 0 } = expectations;
  let first: unknown;
  for (const { secret, issuer } of keys) {
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
  throw first ?? new Error('No key is given.');
}
