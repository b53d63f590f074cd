import { Readable } from 'node:stream';
import type { Balance, Query } from '@virtual-classroom/sdk';
import type { Command } from 'commander';
import { type Destination, saveFile, saving } from '../output/save-file.js';
import { time } from '../output/text.js';
import type { Session } from '../session.js';
import { choice, declare, group, paged, pageSize, parseTime, take, type Extent } from './declare.js';

const KINDS = ['OPENING', 'TOP_UP', 'CORRECTION', 'CHARGE', 'ADJUSTMENT', 'AI_USAGE'];

export const balanceFields = (balance: Balance): Record<string, unknown> =>
  balance.type === 'PREPAID'
    ? {
        Plan: balance.type,
        Status: balance.status,
        'Remaining credits': balance.remainingCredits,
        Value: `${balance.estimatedValue} ${balance.currency}`,
      }
    : {
        Plan: `${balance.type} ${balance.billingFrequency}`,
        'Cycle began': time(balance.cycleStartDate),
        'Credits in this cycle': balance.creditsThisCycle,
        Cost: `${balance.estimatedCost} ${balance.currency}`,
      };

export function addBilling(program: Command, session: Session): void {
  declare(program, 'balance', 'show the credits of the organization', ['balance', 'balance --json']).action(async () => {
    const balance = await session.client().billing.balance();
    session.print.record(balance, balanceFields(balance));
  });

  paged(declare(program, 'ledger', 'list what changed the balance, newest first', ['ledger', 'ledger --kind charge --room algebra-1']))
    .addOption(choice('--kind <kind>', 'entries of this kind only', KINDS))
    .option('--room <roomId>', 'entries of this room only')
    .action(async ({ kind, room, ...extent }: Extent & { kind?: NonNullable<Query<'listLedger'>>['kind']; room?: string }) => {
      const pages = session.client().billing.ledger.list({ limit: String(pageSize(extent)), kind, roomId: room });
      session.print.list(
        await take(pages, extent, session.print),
        [
          ['recorded', ({ recordedAt }) => time(recordedAt)],
          ['kind', ({ kind }) => kind],
          ['credits', ({ credits }) => credits],
          ['amount', ({ amount, currency }) => `${amount} ${currency}`],
          ['room', ({ roomId }) => roomId],
          ['reference', ({ reference }) => reference],
          ['entry', ({ entryId }) => entryId],
        ],
        'There are no entries.',
      );
    });

  declare(program, 'usage', 'show the tokens and the cost of the AI agent and tutor', ['usage', 'usage --since 30d'])
    .option('--since <time>', 'from this time on, or for this long: 2h, 7d', (text) => parseTime(text))
    .option('--until <time>', 'up to this time', (text) => parseTime(text))
    .action(async ({ since, until }: { since?: string; until?: string }) => {
      const usage = await session.client().agent.usage({ startDate: since, endDate: until });
      const { aiAgent, aiTutor } = usage.breakdown;
      session.print.record(usage, {
        Sessions: usage.summary.totalSessions,
        'Input tokens': usage.summary.totalInputTokens,
        'Output tokens': usage.summary.totalOutputTokens,
        Cost: usage.summary.totalTokenCost,
        'Agent cost': aiAgent.cost,
        'Tutor cost': aiTutor.cost,
      });
    });

  declare(program, 'health', 'show whether the service and its dependencies work; needs no credential', [
    'health',
    'health --url https://classroom.example',
  ]).action(async () => {
    const health = await session.stranger().health();
    session.print.record(health, { Address: session.used.url, ...health });
    if (health.status !== 'healthy') session.exitCode = 1;
  });
}

type Language = NonNullable<Query<'getStatementPdf'>>['language'];

export function addStatements(program: Command, session: Session): void {
  const statements = group(program, 'statements', 'statements of closed billing cycles (postpaid)');

  declare(statements, 'list', 'list the statements, newest first', ['statements list']).action(async () =>
    session.print.list(
      await session.client().billing.statements.list(),
      [
        ['statement', ({ statementId }) => statementId],
        ['from', ({ cycleStart }) => time(cycleStart)],
        ['to', ({ cycleEnd }) => time(cycleEnd)],
        ['classes', ({ classrooms }) => classrooms],
        ['credits', ({ creditsConsumed }) => creditsConsumed],
        ['amount', ({ amount, currency }) => `${amount} ${currency}`],
      ],
      'There are no statements: no billing cycle has been closed.',
    ),
  );

  saving(
    declare(statements, 'download', 'save a statement as a PDF file', [
      'statements download 6a5826a8-ab82-4e66-b1fb-3b074b1f279a --language de --out bills',
    ]),
  )
    .argument('<statementId>', 'id of the statement')
    .addOption(choice('--language <language>', 'language of the file', ['en', 'de']))
    .action(async (statementId: string, { language, ...destination }: Destination & { language?: Language }) => {
      const { statements: api } = session.client().billing;
      const open = async () => Readable.from([Buffer.from(await api.pdf(statementId, { language }))]);
      const saved = await saveFile({ filename: `${statementId}.pdf`, open }, destination);
      session.print.record({ statementId, ...saved }, { Statement: statementId, File: saved.file, Bytes: saved.size });
    });
}
