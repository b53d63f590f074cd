import { Readable } from 'node:stream';
import type { Query } from '@virtual-classroom/sdk';
import type { Command } from 'commander';
import { type Destination, saveFile, saving } from '../output/save-file.js';
import { time } from '../output/text.js';
import type { Session } from '../session.js';
import { choice, declare, group } from './declare.js';

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
