import { createHash } from 'node:crypto';

/** Identifies an organization in an object key, as 24 hex digits. The id itself is a secret, and links are shared. */
export const tenantOf = (organizationId: string) => createHash('sha256').update(organizationId).digest('hex').slice(0, 24);
