import { z } from 'zod';

/** The scopes of an API key. `VF-ORG-ID` has all of them. */
export const SCOPES = [
  'rooms:read',
  'rooms:write',
  'chat:read',
  'reports:read',
  'recordings:read',
  'recordings:write',
  'recordings:manage',
  'videos:read',
  'videos:write',
  'billing:read',
  'billing:manage',
  'ai:use',
  'events:read',
  'webhooks:manage',
  'keys:manage',
  'dashboard:issue',
  'privacy:manage',
  'audit:read',
] as const;
export const scope = z.enum(SCOPES);
export type Scope = z.infer<typeof scope>;
