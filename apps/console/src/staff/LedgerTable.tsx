import { Link } from '@tanstack/react-router';
import { useMemo, type ComponentProps } from 'react';
import type { Entry } from '../api/queries.js';
import { groupByClass, type Group } from './ledger-groups.js';
import { useFormat, useTranslation } from '../i18n/index.js';
import { DataTable, type Column } from '../parts/DataTable.js';

interface LedgerTableProps {
  entries: readonly Entry[];
  /** Whether the charges of a class are one line, which leads to all of them. */
  isGrouped?: boolean;
  more?: ComponentProps<typeof DataTable>['more'];
}

/** Entries of the ledger. A charge leads to what explains it. */
export function LedgerTable({ entries, isGrouped = false, more }: LedgerTableProps) {
  const { t, i18n } = useTranslation();
  const { moment, number, amount } = useFormat();
  const rows = useMemo(
    () =>
      isGrouped ? groupByClass(entries) : entries.map((newest) => ({ newest, count: 1, credits: newest.credits, amount: newest.amount })),
    [entries, isGrouped],
  );
  const columns = useMemo(
    (): Column<Group<Entry>>[] => [
      { id: 'kind', header: t('ledger.entry'), width: 'minmax(0, 2fr)', cell: (group) => <Title group={group} /> },
      { id: 'at', header: t('ledger.at'), isDetail: true, cell: ({ newest }) => moment(newest.recordedAt) },
      { id: 'credits', header: t('ledger.credits'), width: '110px', isNumber: true, cell: ({ credits }) => number(credits) },
      {
        id: 'amount',
        header: t('ledger.amount'),
        width: '130px',
        isNumber: true,
        isDetail: true,
        cell: (group) => amount(group.amount, group.newest.currency),
      },
    ],
    [i18n.language],
  );
  return (
    <DataTable
      name={t('nav.ledger')}
      rows={rows}
      idOf={({ newest }) => newest.entryId}
      columns={columns}
      empty={t('ledger.none')}
      more={more}
    />
  );
}

function Title({ group: { newest, count } }: { group: Group<Entry> }) {
  const { t } = useTranslation();
  const { entryId, kind, roomId, roomTitle, reference, note } = newest;
  const kindName = t(`ledger.kinds.${kind}`);
  const details = roomTitle ? [kindName, roomId, count > 1 ? t('ledger.charges', { count }) : null] : [roomId ?? reference ?? note];
  const content = (
    <>
      <span className="clip">{roomTitle ?? kindName}</span>
      <span className="clip quiet small">{details.filter(Boolean).join(' · ')}</span>
    </>
  );
  return count > 1 && roomId ? (
    <Link to="/ledger" search={{ roomId }} className="row-link">
      {content}
    </Link>
  ) : (
    <Link to="/ledger/$entryId" params={{ entryId }} className="row-link">
      {content}
    </Link>
  );
}
