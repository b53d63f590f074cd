import { AsyncLocalStorage } from 'node:async_hooks';

const scope = new AsyncLocalStorage<string | undefined>();

/**
 * Runs `work` for one organization: until it ends, all statements of this process that belong to it see no rows of other organizations
 * (Postgres row-level security, see libs/persistence). Undefined: for none of them in particular.
 */
export const inOrganization = <T>(organizationId: string | undefined, work: () => T): T => scope.run(organizationId, work);

/** Runs work that is not part of what the current organization requested, such as a loop that its request woke. */
export const outsideOrganizations = <T>(work: () => T): T => inOrganization(undefined, work);

/** The organization that the current work is for. Undefined in background work, which is for all of them. */
export const currentOrganization = (): string | undefined => scope.getStore();
