import { z } from 'zod';
import { pagination, shown } from '../kernel/fields.js';
import { defineOperation } from '../kernel/operation.js';
import { givesSome, NAMES, ORGANIZATION, schemaHints } from '../kernel/reference.js';
import { instant, organizationId, pageOf, text, timestamp } from '../kernel/values.js';
import { retention, retentionChanges } from '../privacy/data-classes.js';
import { attendanceChanges, attendancePolicy } from '../room/attendance-settings.js';
import { consentChanges, consentSettings } from '../room/consent-settings.js';
import { credentialWithValue } from './credentials.operations.js';
import { joinHook } from './join-hook.operations.js';
import { quotaChanges, quotas } from './quotas.js';

export const domainName = z
  .string()
  .max(253)
  .toLowerCase()
  .regex(
    /^(\*\.)?[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*(:[1-9][0-9]{0,4})?$/,
    'must be a host name such as school.example, *.school.example or localhost:3000',
  );

/** Up to 12 digits with 6 decimals, kept as written: money is never stored as a binary fraction. */
const money = z
  .union([z.number().nonnegative().max(1e9), z.string().regex(/^\d{1,12}(\.\d{1,6})?$/, 'must be a decimal number')])
  .transform(String)
  .pipe(z.string());
const currency = z.string().regex(/^[A-Z]{3}$/, 'must be a three-letter currency code');
const webUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).max(2048);
const color = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'must be a color such as #1a73e8');

export const prepaidPlan = z.object({
  type: z.literal('PREPAID').describe('The organization buys credits in advance.'),
  credits: z.number().int().min(0).max(1e9).default(0).describe('Opening balance in credits, 0 to 1,000,000,000. Default: 0.'),
  creditRate: money.describe('Price of one credit in `currency`: up to 12 digits and 6 decimals, as a number or as text.'),
  currency: currency.describe('ISO 4217 code, such as `USD`.'),
});
export const postpaidPlan = z.object({
  type: z.literal('POSTPAID').describe('The organization pays for what it used, cycle by cycle.'),
  billingFrequency: z.enum(['WEEKLY', 'MONTHLY']).describe('Length of a cycle.'),
  cycleStartDate: z.union([z.iso.date(), instant]).optional().describe('Start of the first cycle. Default: now.'),
  creditRate: money.describe('Price of one credit in `currency`: up to 12 digits and 6 decimals, as a number or as text.'),
  currency: currency.describe('ISO 4217 code, such as `USD`.'),
});
export const billingPlan = z.discriminatedUnion('type', [prepaidPlan, postpaidPlan]);
export type BillingPlan = z.infer<typeof billingPlan>;

export const branding = z.object({
  logoUrl: webUrl
    .nullish()
    .describe(
      'Address of the logo (http or https), at most 2,048 characters. Shown if it is a PNG, JPEG, GIF or WebP of at most 1 MiB. Null removes it.',
    ),
  primaryColor: color.nullish().describe('Main color, such as `#1a73e8`. Null removes it.'),
  accentColor: color.nullish().describe('Second color, such as `#f9a825`. Null removes it.'),
});
export type Branding = z.infer<typeof branding>;

export const brandingChanges = branding.extend({
  logoUrl: z
    .url({ protocol: /^(https?|upload)$/, error: 'must be an http or https URL' })
    .max(2048)
    .nullish()
    .describe(
      'Address of the logo (http or https), at most 2,048 characters. Shown if it is a PNG, JPEG, GIF or WebP of at most 1 MiB. It replaces an uploaded logo. Null removes the logo. `upload:…`, as answers name an uploaded logo, changes nothing.',
    ),
});

/** Domains that an organization may have, verified ones and others. */
export const MAX_DOMAINS = 100;

const verifiedDomains = z
  .array(domainName)
  .max(MAX_DOMAINS)
  .transform((hosts) => [...new Set(hosts)]);

export const createOrganizationBody = z.object({
  organizationId: organizationId
    .optional()
    .describe(
      'The first value for `VF-ORG-ID`, 1 to 64 of `A-Z a-z 0-9 _ -`, in production at least 24. Default: a random one, which you should prefer: it is a secret.',
    ),
  name: text(256).describe('Display name, 1 to 256 characters.'),
  billing: billingPlan.optional().describe('The billing plan. Without one, calls that need it answer 422.'),
  verifiedDomains: verifiedDomains
    .default([])
    .describe(
      'Hosts whose pages may embed the class, at most 100: `school.example`, `*.school.example`, `localhost:3000`. You vouch for them; *Add domain* has their owner prove them by DNS. Default: none.',
    ),
  branding: branding.default({}).describe('Logo and colors of the class page. Default: none.'),
  retention: retentionChanges.default({}).describe('How long personal data is kept. Default: the default of each class.'),
  consent: consentChanges
    .optional()
    .describe('Consent to recordings, and AI, in new rooms. Default: no consent is asked for; AI may be used.'),
  attendance: attendanceChanges.nullish().describe('The attendance policy of new rooms. Default: none.'),
  quotas: quotaChanges.optional().describe('What the organization may store and have transcoded. Default: the values of the installation.'),
});

export const updateOrganizationBody = z
  .object({
    name: text(256).optional().describe('Display name, 1 to 256 characters.'),
    billing: billingPlan.optional().describe('The billing plan. Its type cannot change while a room is live.'),
    verifiedDomains: verifiedDomains
      .optional()
      .describe(
        'Hosts whose pages may embed the class, at most 100. Replaces the list. You vouch for them; *Add domain* has their owner prove them by DNS.',
      ),
    branding: brandingChanges.optional().describe('Logo and colors. Omitted ones stay as they are.'),
    retention: retentionChanges
      .optional()
      .describe('How long personal data is kept. Omitted classes stay as they are. Data that is older is erased within about an hour.'),
    consent: consentChanges
      .optional()
      .describe('Consent to recordings, and AI, in rooms that are created from now on. Omitted fields stay as they are.'),
    attendance: attendanceChanges
      .nullish()
      .describe('The attendance policy of rooms that are created from now on. Omitted fields stay as they are. Null removes it.'),
    quotas: quotaChanges.optional().describe('What the organization may store and have transcoded. Omitted fields stay as they are.'),
  })
  .refine(...givesSome('name', 'billing', 'verifiedDomains', 'branding', 'retention', 'consent', 'attendance', 'quotas'));

export const organization = z
  .object({
    id: z.string().optional().describe('Id of the organization in events, addresses and logs. It is no secret and never changes.'),
    organizationId: shown.organizationId,
    name: z.string().describe('Display name.'),
    billing: z
      .discriminatedUnion('type', [
        prepaidPlan.extend({ creditRate: shown.creditRate }),
        postpaidPlan.extend({ creditRate: shown.creditRate, cycleStartDate: z.string().describe('Start of the first cycle.') }),
      ])
      .nullable()
      .describe('The billing plan; null if there is none.'),
    verifiedDomains: z.array(z.string()).max(MAX_DOMAINS).describe('Hosts whose pages may embed the class.'),
    branding: z
      .object({
        logoUrl: shown.logoUrl,
        primaryColor: shown.primaryColor,
        accentColor: shown.accentColor,
      })
      .describe('Logo and colors of the class page.'),
    retention: retention.describe('How long personal data is kept.'),
    consent: consentSettings.describe('Consent to recordings, and AI, in new rooms.'),
    attendance: attendancePolicy.nullable().describe('The attendance policy of new rooms; null if none is set.'),
    quotas: quotas.describe('What the organization may store and have transcoded.'),
    joinHook: joinHook.nullable().describe('What is asked before a participant joins; null if there is none.'),
    createdAt: timestamp.describe('When the organization was created.'),
    updatedAt: timestamp.describe('When it last changed.'),
    closedAt: timestamp
      .nullable()
      .optional()
      .describe('When its erasure was requested, from when on it can only read; null if it was not.'),
    erasureBeginsAt: timestamp
      .nullable()
      .optional()
      .describe('When its erasure begins, from when on it can only read that; null if it was not requested.'),
  })
  .register(NAMES, { id: 'Organization', description: 'A school or a company that calls the API.' });
export type Organization = z.infer<typeof organization>;

/** The only answer that contains a credential: we store only its hash. */
export const createdOrganization = organization
  .extend({
    organizationId: z.string().describe('The first value for `VF-ORG-ID`, a secret. It is shown only here.'),
    credential: credentialWithValue.optional().describe('The credential with that value.'),
  })
  .register(NAMES, { id: 'CreatedOrganization', description: 'A new organization and its first credential.' });

export const organizationPage = z.object({
  organizations: pageOf(organization).describe('The organizations, newest first.'),
  pagination: pagination.describe('Where the list continues.'),
});

/** Query values are text. A page holds 1 to 100 entries. */
export const cursorQuery = z.object({
  cursor: z.string().max(512).optional().describe('`nextCursor` of the previous page, at most 512 characters. Default: the first page.'),
  limit: z
    .string()
    .regex(/^[0-9]{1,3}$/, 'must be a whole number from 1 to 100')
    .register(schemaHints, { pattern: '^(0{0,2}[1-9]|0?[1-9][0-9]|100)$' })
    .transform(Number)
    .refine((value) => value >= 1 && value <= 100, 'must be a whole number from 1 to 100')
    .default(20)
    .describe('Entries per page, 1 to 100. Default: 20.'),
});

const params = z.object({ organizationId: organizationId.describe('Id of the organization.') });

export const createOrganization = defineOperation({
  operationId: 'createOrganization',
  summary: 'Create organization',
  description: 'Creates an organization.',
  tag: 'Organizations',
  sdk: 'organizations.create',
  route: 'POST /v1/admin/organizations',
  auth: 'dispatch',
  service: 'organization',
  rpc: 'organization.create',
  body: createOrganizationBody,
  input: createOrganizationBody,
  output: createdOrganization,
  message: 'Organization created',
  errors: ['ORGANIZATION_ALREADY_EXISTS'],
  example: {
    body: {
      name: 'Lakeside School',
      billing: { type: 'PREPAID', credits: 1000, creditRate: 0.01, currency: 'USD' },
      verifiedDomains: ['lakeside.example'],
    },
  },
});

export const listOrganizations = defineOperation({
  operationId: 'listOrganizations',
  summary: 'List organizations',
  description: 'Returns the organizations, newest first.',
  tag: 'Organizations',
  sdk: 'organizations.list',
  route: 'GET /v1/admin/organizations',
  auth: 'dispatch',
  service: 'organization',
  rpc: 'organization.list',
  query: cursorQuery,
  input: z.object({ cursor: z.string().optional(), limit: z.number().int().min(1).max(100) }),
  output: organizationPage,
  example: { query: { limit: '1' } },
});

export const getOrganization = defineOperation({
  operationId: 'getOrganization',
  summary: 'Get organization',
  description: 'Returns an organization.',
  tag: 'Organizations',
  sdk: 'organizations.get',
  route: 'GET /v1/admin/organizations/:organizationId',
  auth: 'dispatch',
  service: 'organization',
  rpc: 'organization.get',
  callers: ['gateway', 'ai', 'billing', 'media', 'recording'],
  timeoutMs: 3_000,
  params,
  output: organization,
  errors: ['ORGANIZATION_NOT_FOUND'],
  example: { params: ORGANIZATION },
});

export const updateOrganization = defineOperation({
  operationId: 'updateOrganization',
  summary: 'Update organization',
  description: 'Changes an organization. Omitted fields stay as they are.',
  tag: 'Organizations',
  sdk: 'organizations.update',
  route: 'PATCH /v1/admin/organizations/:organizationId',
  auth: 'dispatch',
  service: 'organization',
  alsoFor: ['dashboard'],
  rpc: 'organization.update',
  params,
  body: updateOrganizationBody,
  input: z.object({ organizationId, changes: updateOrganizationBody }),
  toInput: ({ params, body }) => ({ ...params, changes: body }),
  output: organization,
  message: 'Organization updated',
  errors: ['ORGANIZATION_NOT_FOUND', 'BILLING_TYPE_LOCKED'],
  example: { params: ORGANIZATION, body: { branding: { primaryColor: '#1a73e8' } } },
});
