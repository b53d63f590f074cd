import { z } from 'zod';

/** What an API key may be limited to. `VF-ORG-ID` stands for all of them. */
export const SCOPES = [
  'rooms:read',
  'rooms:write',
  'recordings:read',
  'recordings:write',
  'videos:read',
  'videos:write',
  'billing:read',
  'ai:use',
  'events:read',
  'webhooks:manage',
  'keys:manage',
] as const;
export const scope = z.enum(SCOPES);
export type Scope = z.infer<typeof scope>;
