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

const both = (of: Scope) => ({ read: of, write: of });

/** The first that fits counts. */
const RULES: { paths: RegExp; read: Scope; write: Scope }[] = [
  { paths: /^\/v1\/room\/:roomId\/recordings?(\/|$)/, read: 'recordings:read', write: 'recordings:write' },
  { paths: /^\/v1\/room\/:roomId\/(summary|attendance)$|^\/v1\/(billing|participant)\//, ...both('billing:read') },
  { paths: /^\/v1\/room\/:roomId\/context$|^\/v1\/ai-(agent|tutor)\//, ...both('ai:use') },
  { paths: /^\/v1\/rooms?(\/|$)/, read: 'rooms:read', write: 'rooms:write' },
  { paths: /^\/v1\/cdn\/videos(\/|$)/, read: 'videos:read', write: 'videos:write' },
  { paths: /^\/v1\/events$/, ...both('events:read') },
  { paths: /^\/v1\/webhook-endpoints(\/|$)/, ...both('webhooks:manage') },
  { paths: /^\/v1\/api-keys(\/|$)/, ...both('keys:manage') },
];

/** The scope that an organization's endpoint asks of an API key. @throws where no rule is for that path: no key could call it */
export function scopeOf({ method, path }: { method: string; path: string }): Scope {
  const rule = RULES.find(({ paths }) => paths.test(path));
  if (!rule) throw new Error(`no scope is for ${path}: add a rule to scopes.ts`);
  return method === 'GET' ? rule.read : rule.write;
}
