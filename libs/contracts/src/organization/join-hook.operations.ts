import { z } from 'zod';
import { organizationId } from '../kernel/values.js';
import { NAMES, ORGANIZATION } from '../kernel/reference.js';
import { defineOperation } from '../kernel/operation.js';

const TIMEOUT = 'Milliseconds that the answer may take';
const FALLBACK =
  'What holds if there is no answer in time, or none that can be understood. `allow`: the participant joins. `refuse`: they do not.';
const fallback = z.enum(['allow', 'refuse']);

export const joinHook = z
  .object({
    url: z.string().describe('Address that is asked.'),
    timeoutMs: z.number().int().describe(`${TIMEOUT}.`),
    fallback: fallback.meta({ 'x-extensible': true }).describe(FALLBACK),
  })
  .register(NAMES, { id: 'JoinHook', description: 'What is asked before a participant of the organization joins a class.' });
export type JoinHook = z.infer<typeof joinHook>;

export const joinHookWithSecret = joinHook
  .extend({ secret: z.string().describe('The secret that signs the questions, `whsec_…`.') })
  .register(NAMES, { id: 'JoinHookWithSecret', description: 'A join hook, with its secret.' });

const params = z.object({ organizationId: organizationId.describe('Id of the organization.') });

export const setJoinHook = defineOperation({
  operationId: 'setJoinHook',
  summary: 'Set join hook',
  description:
    'Has the organization’s backend asked, with a signed request, before each participant joins. A hook that is changed keeps its secret; delete it first for a new one.',
  tag: 'Organizations',
  sdk: 'joinHooks.set',
  route: 'PUT /v1/admin/organizations/:organizationId/join-hook',
  auth: 'dispatch',
  service: 'organization',
  rpc: 'join-hook.set',
  params,
  body: z.object({
    url: z
      .url('must be an address such as https://school.example/joins')
      .max(2048)
      .describe('A public HTTPS address, at most 2,048 characters.'),
    timeoutMs: z.number().int().min(100).max(3_000).default(1_500).describe(`${TIMEOUT}, 100 to 3,000. Default: 1,500.`),
    fallback: fallback.default('allow').describe(`${FALLBACK} Default: \`allow\`.`),
  }),
  output: joinHookWithSecret,
  message: 'Join hook set',
  errors: ['ORGANIZATION_NOT_FOUND'],
  example: { params: ORGANIZATION, body: { url: 'https://lakeside.example/classroom-joins', fallback: 'refuse' } },
});

export const deleteJoinHook = defineOperation({
  operationId: 'deleteJoinHook',
  summary: 'Delete join hook',
  description: 'Participants join without a question again.',
  tag: 'Organizations',
  sdk: 'joinHooks.delete',
  route: 'DELETE /v1/admin/organizations/:organizationId/join-hook',
  auth: 'dispatch',
  service: 'organization',
  rpc: 'join-hook.delete',
  params,
  output: z.object({ organizationId: z.string().describe('Id of the organization.') }),
  message: 'Join hook deleted',
  errors: ['ORGANIZATION_NOT_FOUND'],
  example: { params: ORGANIZATION },
});
