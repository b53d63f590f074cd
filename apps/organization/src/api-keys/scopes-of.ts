import type { Scope } from '@classroom/contracts';
import type { ApiKeyEntity } from '../schema/api-key.entity.js';

/** The version of new keys. */
export const SCOPES_VERSION = 2;

/** What a scope of version 1 included: a key from before keeps what it could read. */
const INCLUDED: Partial<Record<string, Scope>> = { 'billing:read': 'reports:read', 'rooms:read': 'chat:read' };

/** The scopes of a key as the contracts name them now. */
export function scopesOf({ scopes, scopesVersion }: Pick<ApiKeyEntity, 'scopes' | 'scopesVersion'>): string[] {
  if (scopesVersion >= SCOPES_VERSION) return scopes;
  return [...new Set(scopes.flatMap((scope) => [scope, INCLUDED[scope] ?? []].flat()))];
}
