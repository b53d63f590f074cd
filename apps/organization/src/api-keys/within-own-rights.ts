import { AppError } from '@classroom/contracts';

/** What a key may do, and until when. */
export interface Rights {
  scopes: readonly string[];
  expiresAt: Date | null;
}

/** As a caller tells them. */
export const rightsOf = ({ scopes, expiresAt }: { scopes: string[]; expiresAt: string | null }): Rights => ({
  scopes,
  expiresAt: expiresAt === null ? null : new Date(expiresAt),
});

/**
 * Whoever asks by a key gets no key that can more, or lives longer, than their own: else a scope to manage keys would be all
 * of them. @throws AppError FORBIDDEN that names what is too much
 */
export function requireWithin(own: Rights, asked: Rights): void {
  requireScopes(own, asked, 'give it');
  if (own.expiresAt && (!asked.expiresAt || asked.expiresAt > own.expiresAt)) {
    throw new AppError('FORBIDDEN', { message: 'This API key can’t give one that outlives it: set expiresAt' });
  }
}

/** A key acts on no key that has a scope it lacks. @throws AppError FORBIDDEN that names the scope */
export function requireScopes(own: Pick<Rights, 'scopes'>, of: Pick<Rights, 'scopes'>, act: string): void {
  const missing = of.scopes.find((scope) => !own.scopes.includes(scope));
  if (missing !== undefined) throw new AppError('FORBIDDEN', { message: `This API key lacks the scope ${missing}, and so can’t ${act}` });
}
