import { createHash } from 'node:crypto';

export const INPUTS = 'ai-inputs/';

/** What stands for an organization in a key: its id is a secret. The gateway makes the same. */
export const tenantOf = (organizationId: string) => createHash('sha256').update(organizationId).digest('hex').slice(0, 24);

export const isOwnKey = (organizationId: string, key: string) => key.startsWith(`${INPUTS}${tenantOf(organizationId)}/`);
