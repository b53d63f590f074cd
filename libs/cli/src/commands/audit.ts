import type { AuditEntry } from '@virtual-classroom/sdk';
import type { Command } from 'commander';
import { time } from '../output/text.js';
import type { Session } from '../session.js';
import { declare, type Extent, paged, pageSize, parseTime, take } from './declare.js';

interface Filter {
  since?: string;
  until?: string;
  operation?: string;
  actor?: string;
}

export function addAudit(program: Command, session: Session): void {
  paged(
    declare(program, 'audit', 'list who changed, recorded, removed or exported what, newest first', [
      'audit --since 7d',
      'audit --operation revokeApiKey --all --json',
    ]),
  )
    .option('--since <time>', 'entries from this time, or for this long: 2h, 7d', (text) => parseTime(text))
    .option('--until <time>', 'entries before this time', (text) => parseTime(text))
    .option('--operation <operationId>', 'calls of this operation only, such as createApiKey')
    .option('--actor <id>', 'calls of this key, credential or person only')
    .action(async ({ since, until, operation, actor, ...extent }: Extent & Filter) => {
      const pages = session.client().audit.list({ from: since, to: until, operation, actor, limit: String(pageSize(extent)) });
      session.print.list(
        await take(pages, extent, session.print),
        [
          ['time', ({ at }) => time(at)],
          ['actor', ({ actor: { type, id } }) => `${type} ${id}`],
          ['operation', ({ operation: called }) => called],
          ['target', targetOf],
          ['status', ({ status }) => status],
          ['address', ({ address }) => address],
        ],
        'There are no such entries.',
      );
    });
}

/** The ids that the call named, or those of what it created. */
const targetOf = ({ target, changes }: AuditEntry): string[] => {
  const named = Object.values(target);
  return named.length > 0 ? named : changes.map(({ id }) => id);
};
