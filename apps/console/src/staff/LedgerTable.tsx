import { Link } from '@tanstack/react-router';
import { useMemo, type ComponentProps } from 'react';
import type { Entry } from '../api/types.js';
import { useTranslation } from '../i18n/index.js';
import { DataTable, type Column } from '../parts/DataTable.js';
import { useFormat } from '../parts/use-format.js';

interface LedgerTableProps {
  entries: readonly Entry[];
  more?: ComponentProps<typeof DataTable>['more'];
}

/** Entries of the ledger. A charge leads to what explains it. */
export function LedgerTable({ entries, more }: LedgerTableProps) {
  const { t, i18n } = useTranslation();
  const { moment, number, amount } = useFormat();
  const columns = useMemo(
    (): Column<Entry>[] => [
      {
        id: 'kind',
        header: t('ledger.entry'),
        width: 'minmax(0, 2fr)',
        cell: ({ entryId, kind, roomId, reference, note }) => (
          <Link to="/ledger/$entryId" params={{ entryId }} className="row-link">
            <span className="clip">{t(`ledger.kinds.${kind}`)}</span>
            <span className="clip quiet small">{roomId ?? reference ?? note ?? ''}</span>
          </Link>
        ),
      },
      { id: 'at', header: t('ledger.at'), isDetail: true, cell: ({ recordedAt }) => moment(recordedAt) },
      { id: 'credits', header: t('ledger.credits'), width: '110px', isNumber: true, cell: ({ credits }) => number(credits) },
      {
        id: 'amount',
        header: t('ledger.amount'),
        width: '130px',
        isNumber: true,
        isDetail: true,
        cell: (entry) => amount(entry.amount, entry.currency),
      },
    ],
    [i18n.language],
  );
  return (
    <DataTable
      name={t('nav.ledger')}
      rows={entries}
      idOf={({ entryId }) => entryId}
      columns={columns}
      empty={t('ledger.none')}
      more={more}
    />
  );
}
