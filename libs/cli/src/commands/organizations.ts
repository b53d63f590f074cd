import type { AdminClient, Balance, Body, Organization } from '@virtual-classroom/sdk';
import type { Command } from 'commander';
import { CommandError } from '../io.js';
import { time } from '../output/text.js';
import type { Session } from '../session.js';
import { balanceFields } from './billing.js';
import { choice, declare, type Extent, group, paged, pageSize, parseNumber, take } from './declare.js';

interface NewOrganization {
  prepaid?: number;
  postpaid?: 'WEEKLY' | 'MONTHLY';
  rate: number;
  currency: string;
  domain?: string[];
  save?: string;
}

export function addOrganizations(program: Command, session: Session): void {
  const organizations = group(program, 'organizations', 'organizations of an installation, for its operators');

  paged(
    declare(organizations, 'list', 'list all organizations, newest first', ['organizations list', 'organizations list --all --json']),
  ).action(async (extent: Extent) => {
    const pages = session.admin().organizations.list({ limit: String(pageSize(extent)) });
    session.print.list(
      await take(pages, extent, session.print),
      [
        ['id', idOf],
        ['name', ({ name }) => name],
        ['plan', ({ billing }) => billing?.type],
        ['created', ({ createdAt }) => time(createdAt)],
      ],
      'There are no organizations. Create one with: vc organizations create --name <name>',
    );
  });

  declare(organizations, 'create', 'create an organization with its first credential', [
    'organizations create --name "Lakeside School" --prepaid 500 --save lakeside',
    'organizations create --name "Hill School" --postpaid monthly --rate 0.01 --currency EUR',
  ])
    .requiredOption('--name <name>', 'display name')
    .option('--prepaid <credits>', 'billing plan: prepaid, with these credits', parseNumber)
    .addOption(choice('--postpaid <frequency>', 'billing plan: postpaid, with these cycles', ['WEEKLY', 'MONTHLY']))
    .option('--rate <price>', 'price of one credit', parseNumber, 0.01)
    .option('--currency <code>', 'currency of the price, ISO 4217', 'USD')
    .option('--domain <host...>', 'hosts whose pages may embed the class')
    .option('--save <profile>', 'store the credential in a profile instead of printing it')
    .action(async ({ save, ...options }: NewOrganization & { name: string }) => {
      const { prepaid, postpaid, name, domain } = options;
      if (prepaid !== undefined && postpaid) throw new CommandError('--prepaid and --postpaid are both given', 'Give one of them.');
      const billing = planOf(options);
      const created = await session
        .admin()
        .organizations.create({ name, ...(billing ? { billing } : {}), ...(domain ? { verifiedDomains: domain } : {}) });
      const { organizationId, credential: _, ...rest } = created;
      const shown = { Id: created.id, Name: name, Plan: created.billing?.type };
      if (save === undefined) {
        session.print.record(created, { ...shown, Credential: organizationId });
        return session.print.note('The credential is a secret and is shown only here.');
      }
      session.store(save, { url: session.used.url ?? '', credential: organizationId });
      session.print.record({ ...rest, profile: save }, { ...shown, Profile: save });
    });

  declare(organizations, 'get', 'show an organization', ['organizations get org_7Kq2LmN4pXy9Rs8Tu0Wx'])
    .argument('<organization>', 'id of the organization')
    .action(async (id: string) => {
      const organization = await session.admin().organizations.get(id);
      session.print.record(organization, {
        Id: idOf(organization),
        Name: organization.name,
        Plan: organization.billing?.type,
        'Price of a credit': organization.billing && `${organization.billing.creditRate} ${organization.billing.currency}`,
        Domains: organization.verifiedDomains,
        Created: time(organization.createdAt),
        Closed: time(organization.closedAt),
      });
    });

  declare(organizations, 'top-up', 'add credits; the same reference counts once', [
    'organizations top-up org_7Kq2LmN4pXy9Rs8Tu0Wx --amount 500 --reference invoice-2026-0042',
    'organizations top-up org_7Kq2LmN4pXy9Rs8Tu0Wx --amount -20 --reference correction-7 --note "Charged twice"',
  ])
    .argument('<organization>', 'id of the organization')
    .requiredOption('--amount <credits>', 'credits; negative to correct the balance', parseNumber)
    .requiredOption('--reference <text>', 'your reference, such as an invoice number')
    .option('--note <text>', 'a note of your own')
    .action(async (id: string, body: Parameters<AdminClient['credits']['add']>[1]) => {
      const posted = await session.admin().credits.add(id, body);
      const { entry, balance, replayed } = posted;
      session.print.record(posted, {
        Entry: entry.entryId,
        Kind: entry.kind,
        Credits: entry.credits,
        ...balanceFields(balance as Balance),
      });
      if (replayed) session.print.note(`The reference ${body.reference} had been posted before: nothing was changed.`);
    });
}

const idOf = ({ id, organizationId }: Organization) => id ?? organizationId;

function planOf({ prepaid, postpaid, rate, currency }: NewOrganization): Body<'createOrganization'>['billing'] {
  if (prepaid !== undefined) return { type: 'PREPAID', credits: prepaid, creditRate: rate, currency };
  if (postpaid) return { type: 'POSTPAID', billingFrequency: postpaid, creditRate: rate, currency };
  return undefined;
}
