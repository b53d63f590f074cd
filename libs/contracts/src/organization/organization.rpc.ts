import { z } from 'zod';
import { organizationId } from '../kernel/ids.js';
import { defineRpc } from '../kernel/rpc.js';
import {
  createOrganizationBody,
  organization,
  organizationPage,
  updateOrganizationBody,
} from './organization.http.js';

const service = 'organization' as const;
const noun = 'organization';
/** A read that every request may wait for: short enough that the caller still gets its answer in time. */
const OWNER_TIMEOUT_MS = 3_000;

export const organizationRpc = {
  create: defineRpc({
    service,
    noun,
    verb: 'create',
    input: createOrganizationBody,
    output: organization,
    errors: ['ORGANIZATION_ALREADY_EXISTS'],
  }),
  get: defineRpc({
    service,
    noun,
    verb: 'get',
    input: z.object({ organizationId }),
    output: organization,
    errors: ['ORGANIZATION_NOT_FOUND'],
    timeoutMs: OWNER_TIMEOUT_MS,
  }),
  list: defineRpc({
    service,
    noun,
    verb: 'list',
    input: z.object({ cursor: z.string().optional(), limit: z.number().int().min(1).max(100) }),
    output: organizationPage,
    errors: ['VALIDATION_FAILED'],
  }),
  /** Whether any organization lists the host (with its port where it isn't the scheme's own), itself or by a wildcard. */
  isVerifiedHost: defineRpc({
    service,
    noun,
    verb: 'is-verified-host',
    input: z.object({ host: z.string().max(300) }),
    output: z.object({ isVerified: z.boolean() }),
    timeoutMs: OWNER_TIMEOUT_MS,
  }),
  update: defineRpc({
    service,
    noun,
    verb: 'update',
    input: z.object({ organizationId, changes: updateOrganizationBody }),
    output: organization,
    errors: ['ORGANIZATION_NOT_FOUND', 'BILLING_TYPE_LOCKED'],
  }),
};
