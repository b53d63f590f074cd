import { tenantOf } from '@classroom/storage';

export const INPUTS_PREFIX = 'ai-inputs/';

export const isOwnKey = (organizationId: string, key: string) => key.startsWith(`${INPUTS_PREFIX}${tenantOf(organizationId)}/`);
