import { createHash } from 'node:crypto';

/** Stands for an organization in an object's key: the id itself is a secret, and links are passed on. 24 hex digits. */
export const tenantOf = (organizationId: string) => createHash('sha256').update(organizationId).digest('hex').slice(0, 24);
