import { z } from 'zod';
import { defineEvent } from '../kernel/events.js';
import { organization } from './organization.operations.js';

const service = 'organization' as const;

/** The whole organization after a change; also published when it is created. */
export const organizationUpdated = defineEvent({
  service,
  noun: 'organization',
  happened: 'updated',
  watchers: ['gateway'],
  data: organization,
});

/** A credential was revoked: every process that caches it has to evict it. The subject is the credential's id. */
export const credentialRevoked = defineEvent({
  service,
  noun: 'credential',
  happened: 'revoked',
  watchers: ['gateway'],
  data: z.object({ organizationId: z.string(), credentialId: z.string() }),
});

/** A key was rotated or revoked: every process that caches it has to fetch it again. The subject is the key's prefix. */
export const apiKeyChanged = defineEvent({
  service,
  noun: 'api-key',
  happened: 'changed',
  watchers: ['gateway'],
  data: z.object({ organizationId: z.string(), keyId: z.string() }),
});

/** All of an organization's dashboard tokens were revoked, or one of its sessions ended: every process that caches them has to evict them. The subject is the organization's id. */
export const dashboardTokensRevoked = defineEvent({
  service,
  noun: 'dashboard-tokens',
  happened: 'revoked',
  watchers: ['gateway'],
  data: z.object({ organizationId: z.string(), version: z.number().int() }),
});
