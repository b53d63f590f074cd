import { AsyncLocalStorage } from 'node:async_hooks';

/** The gateway's signed statement of who called (libs/messaging, `CallerSigner`), computed when the first call needs it. */
export type CallerStatement = () => string | undefined;

interface Scope {
  organizationId?: string | undefined;
  caller?: CallerStatement | undefined;
}

const scope = new AsyncLocalStorage<Scope>();

/**
 * Runs `work` for one organization: until it ends, all statements of this process that belong to it see no rows of other organizations
 * (Postgres row-level security, see libs/persistence), and its calls of other services are made for `caller`. Undefined: for none in particular.
 */
export const inOrganization = <T>(organizationId: string | undefined, work: () => T, caller?: CallerStatement): T =>
  scope.run({ organizationId, caller }, work);

/** Runs work that is not part of what the current organization requested, such as a loop that its request woke. */
export const outsideOrganizations = <T>(work: () => T): T => scope.run({}, work);

/** The organization that the current work is for. Undefined in background work, which is for all of them. */
export const currentOrganization = (): string | undefined => scope.getStore()?.organizationId;

/** The statement of who caused the current work. Undefined in background work. */
export const currentCaller = (): string | undefined => scope.getStore()?.caller?.();
