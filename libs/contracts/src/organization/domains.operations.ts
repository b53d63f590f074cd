import { z } from 'zod';
import { organizationId, timestamp } from '../kernel/values.js';
import { NAMES, ORGANIZATION } from '../kernel/reference.js';
import { defineOperation } from '../kernel/operation.js';
import { domainName, MAX_DOMAINS } from './organization.operations.js';

export const domain = z
  .object({
    domain: z.string().describe('The host, as in `verifiedDomains`.'),
    status: z
      .enum(['PENDING', 'VERIFIED'])
      .meta({ 'x-extensible': true })
      .describe('`VERIFIED`: pages on the host may embed classes. `PENDING`: they may when the record is found.'),
    record: z
      .object({
        name: z.string().describe('Name of the TXT record, `_virtual-classroom.` and the domain.'),
        value: z.string().describe('Its value, `vcd_` and 32 characters. It is no secret.'),
      })
      .nullable()
      .describe('The TXT record that proves the domain; null if an operator verified it without one.'),
    lookup: z
      .enum(['FOUND', 'NOT_FOUND', 'NO_ANSWER'])
      .meta({ 'x-extensible': true })
      .nullable()
      .describe('What the last check found; null before the first one. `NO_ANSWER`: the name servers did not answer, and are asked again.'),
    checkedAt: timestamp.nullable().describe('When the record was last looked for; null if it never was.'),
    missingSince: timestamp
      .nullable()
      .describe(
        'Since when a record that was found before is missing; null if it is not. The domain stays verified: remove it if it is no longer the organization’s.',
      ),
  })
  .register(NAMES, { id: 'Domain', description: 'A domain of an organization, and its proof by DNS.' });
export type Domain = z.infer<typeof domain>;

export const domainList = z.object({
  domains: z
    .array(domain)
    .max(2 * MAX_DOMAINS)
    .describe('The domains, by name.'),
});

const service = 'organization' as const;
const params = z.object({ organizationId: organizationId.describe('Id of the organization.') });
const named = { domain: domainName.describe('The domain, URL-encoded.') };

export const addDomain = defineOperation({
  operationId: 'addDomain',
  summary: 'Add domain',
  description:
    'Adds a domain whose pages may embed classes once its owner has set the TXT record of the answer. The record is looked for on request, and every quarter of an hour for three days, then every day for thirty.',
  tag: 'Organizations',
  sdk: 'domains.add',
  route: 'POST /v1/admin/organizations/:organizationId/domains',
  auth: 'dispatch',
  service,
  rpc: 'domain.add',
  params,
  body: z.object({
    domain: domainName.describe('A host: `school.example`, `*.school.example` for all hosts below it, `school.example:8443`.'),
    verification: z
      .enum(['dns', 'manual'])
      .default('dns')
      .describe('`manual`: the domain is verified at once, because you know whose it is, for example in a closed network. Default: `dns`.'),
  }),
  output: domain,
  message: 'Domain added',
  errors: ['ORGANIZATION_NOT_FOUND'],
  links: { domain: '$response.body#/data/domain' },
  example: { params: ORGANIZATION, body: { domain: 'lms.lakeside.example' } },
});

export const listDomains = defineOperation({
  operationId: 'listDomains',
  summary: 'List domains',
  description: 'Returns the verified domains, and those whose proof is awaited.',
  tag: 'Dashboard',
  route: 'GET /v1/dashboard/domains',
  auth: 'dashboard',
  service,
  rpc: 'domain.list',
  output: domainList,
  message: 'Domains',
  errors: ['ORGANIZATION_NOT_FOUND'],
  example: {},
  operators: { path: '/domains', summary: 'List domains of organization', tag: 'Organizations', sdk: 'domains.list' },
});

export const checkDomain = defineOperation({
  operationId: 'checkDomain',
  summary: 'Check domain',
  description: 'Looks for the TXT record of a domain now, and verifies the domain if it is there.',
  tag: 'Dashboard',
  route: 'POST /v1/dashboard/domains/:domain/check',
  auth: 'dashboard',
  dashboardRole: 'OWNER',
  service,
  rpc: 'domain.check',
  params: z.object(named),
  output: domain,
  message: 'Domain checked',
  errors: ['NOT_FOUND'],
  timeoutMs: 8_000,
  example: { params: { domain: 'lms.lakeside.example' } },
  operators: { path: '/domains/:domain/check', summary: 'Check domain of organization', tag: 'Organizations', sdk: 'domains.check' },
});

export const removeDomain = defineOperation({
  operationId: 'removeDomain',
  summary: 'Remove domain',
  description: 'Removes a domain: pages on it can no longer embed classes.',
  tag: 'Organizations',
  sdk: 'domains.remove',
  route: 'DELETE /v1/admin/organizations/:organizationId/domains/:domain',
  auth: 'dispatch',
  service,
  rpc: 'domain.remove',
  params: params.extend(named),
  output: z.object({ domain: z.string().describe('The domain.') }),
  message: 'Domain removed',
  errors: ['NOT_FOUND'],
  example: { params: { ...ORGANIZATION, domain: 'lms.lakeside.example' } },
});
