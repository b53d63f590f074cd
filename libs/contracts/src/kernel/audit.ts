import type { EndpointAuth, Scope } from './caller.js';

/**
 * Whether a call of an endpoint gets an entry in the audit log. `required`: the call is refused while the entry cannot be stored. `recorded`: the
 * call is answered nevertheless, for what must not fail during a class. `none`: the call gets no entry.
 */
export type AuditMode = 'required' | 'recorded' | 'none';

/** Where in the audit log an entry belongs that concerns no organization. No organization has such an id. */
export const OPERATORS_LOG = '~operators';

const ADMINISTRATIVE: ReadonlySet<EndpointAuth> = new Set(['dispatch', 'dashboard']);
const MANAGING: ReadonlySet<Scope | undefined> = new Set<Scope>(['keys:manage', 'dashboard:issue', 'privacy:manage', 'webhooks:manage']);

/** Required for what operators, dashboards, and those who manage keys, dashboard tokens, webhooks and personal data change. */
export const defaultAuditMode = (method: string, auth: EndpointAuth, scope: Scope | undefined): AuditMode =>
  method !== 'GET' && (ADMINISTRATIVE.has(auth) || MANAGING.has(scope)) ? 'required' : 'none';
