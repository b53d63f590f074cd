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
  const missing = asked.scopes.find((scope) => !own.scopes.includes(scope));
  if (missing !== undefined) throw new AppError('FORBIDDEN', { message: `This API key lacks the scope ${missing}, and so can’t give it` });
  if (own.expiresAt && (!asked.expiresAt || asked.expiresAt > own.expiresAt)) {
    throw new AppError('FORBIDDEN', { message: 'This API key can’t give one that outlives it: set expiresAt' });
  }
}
