import { tenantOf } from '@classroom/storage';

export const INPUTS = 'ai-inputs/';

export const isOwnKey = (organizationId: string, key: string) => key.startsWith(`${INPUTS}${tenantOf(organizationId)}/`);
