import { AsyncLocalStorage } from 'node:async_hooks';

/** The gateway's signed statement of who called (libs/messaging, `CallerSigner`), computed when the first call needs it. */
export type CallerStatement = () => string | undefined;

/** The id of the audit log's entry about the current request; undefined if it is not audited. */
export type AuditId = () => string | undefined;

interface Scope {
  organizationId?: string | undefined;
  caller?: CallerStatement | undefined;
  auditId?: AuditId | undefined;
}

const scope = new AsyncLocalStorage<Scope>();

/**
 * Runs `work` for one organization: until it ends, all statements of this process that belong to it see no rows of other organizations
 * (Postgres row-level security, see libs/persistence), and its calls of other services are made for `caller`. Undefined: for none in particular.
 */
export const inOrganization = <T>(organizationId: string | undefined, work: () => T, caller?: CallerStatement, auditId?: AuditId): T =>
  scope.run({ organizationId, caller, auditId }, work);

/** Runs work that is not part of what the current organization requested, such as a loop that its request woke. */
export const outsideOrganizations = <T>(work: () => T): T => scope.run({}, work);

/** The organization that the current work is for. Undefined in background work, which is for all of them. */
export const currentOrganization = (): string | undefined => scope.getStore()?.organizationId;

/** The statement of who caused the current work. Undefined in background work. */
export const currentCaller = (): string | undefined => scope.getStore()?.caller?.();

/** The id of the audit log's entry about the request that caused the current work. Undefined if there is none. */
export const currentAuditId = (): string | undefined => scope.getStore()?.auditId?.();
