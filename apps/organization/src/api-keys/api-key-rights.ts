import { AppError } from '@classroom/contracts';

/** What a key may do, and until when. */
export interface ApiKeyRights {
  scopes: readonly string[];
  expiresAt: Date | null;
}

/** Converts the rights of the calling key from the form of the request: `expiresAt` is an ISO 8601 time or null. */
export const rightsOf = ({ scopes, expiresAt }: { scopes: string[]; expiresAt: string | null }): ApiKeyRights => ({
  scopes,
  expiresAt: expiresAt === null ? null : new Date(expiresAt),
});

/**
 * A caller that authenticates with a key cannot get a key with more scopes or a later expiry than its own: otherwise the scope
 * to manage keys would imply every scope.
 * @throws AppError FORBIDDEN, whose message names what exceeds the caller's rights
 */
export function requireNoMoreRights(own: ApiKeyRights, requested: ApiKeyRights): void {
  requireScopes(own, requested, 'give it');
  if (own.expiresAt && (!requested.expiresAt || requested.expiresAt > own.expiresAt)) {
    throw new AppError('FORBIDDEN', { message: 'This API key can’t give one that outlives it: set expiresAt' });
  }
}

/** A key cannot act on a key that has a scope which it lacks. @throws AppError FORBIDDEN, whose message names the scope */
export function requireScopes(own: Pick<ApiKeyRights, 'scopes'>, of: Pick<ApiKeyRights, 'scopes'>, act: string): void {
  const missing = of.scopes.find((scope) => !own.scopes.includes(scope));
  if (missing !== undefined) throw new AppError('FORBIDDEN', { message: `This API key lacks the scope ${missing}, and so can’t ${act}` });
}
