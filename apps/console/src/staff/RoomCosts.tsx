import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { queries } from '../api/queries.js';
import { useTranslation } from '../i18n/index.js';
import { Loaded } from '../parts/Loaded.js';
import { Panel } from '../parts/Page.js';
import { LedgerTable } from './LedgerTable.js';

/** The charges of a class. Each leads to the sessions behind it. */
export function RoomCosts({ roomId }: { roomId: string }) {
  const { t } = useTranslation();
  const ledger = useInfiniteQuery(queries.ledger({ roomId }));
  return (
    <Panel
      title={t('room.costs')}
      actions={
        <Link to="/ledger" search={{ roomId }}>
          {t('room.inLedger')}
        </Link>
      }
    >
      <Loaded of={ledger}>{({ pages }) => <LedgerTable entries={pages.flatMap(({ entries }) => entries)} more={ledger} />}</Loaded>
    </Panel>
  );
}
