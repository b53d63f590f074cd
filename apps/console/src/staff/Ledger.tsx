import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { queries } from '../api/queries.js';
import { useTranslation } from '../i18n/index.js';
import { BalanceFigures, StatementList } from '../parts/Balance.js';
import { Loaded, Page, Panel } from '../parts/Page.js';
import { LedgerTable } from './LedgerTable.js';
import { Explanation } from '../parts/Explanation.js';

const route = getRouteApi('/staff/ledger');
const KINDS = ['CHARGE', 'AI_USAGE', 'TOP_UP', 'CORRECTION', 'ADJUSTMENT', 'OPENING'] as const;

export function Ledger() {
  const { t } = useTranslation();
  const filters = route.useSearch();
  const navigate = useNavigate();
  const usage = useQuery(queries.usage);
  const ledger = useInfiniteQuery(queries.ledger(filters));
  return (
    <Page title={t('nav.ledger')}>
      <Loaded of={usage}>
        {({ balance, statements }) => (
          <>
            <BalanceFigures balance={balance} />
            {statements.length > 0 && (
              <Panel title={t('statements.title')}>
                <StatementList statements={statements} path="/v1/billing/statements" />
              </Panel>
            )}
          </>
        )}
      </Loaded>
      <Panel title={t('ledger.entries')} note={t('ledger.note')}>
        <form className="filters" onSubmit={(event) => event.preventDefault()}>
          <label>
            {t('ledger.kind')}
            <select
              value={filters.kind ?? ''}
              onChange={({ target }) =>
                void navigate({ to: '/ledger', search: { ...filters, kind: KINDS.find((kind) => kind === target.value) }, replace: true })
              }
            >
              <option value="">{t('all')}</option>
              {KINDS.map((kind) => (
                <option key={kind} value={kind}>
                  {t(`ledger.kinds.${kind}`)}
                </option>
              ))}
            </select>
          </label>
          {filters.roomId && (
            <button
              type="button"
              className="button"
              data-action="all-rooms"
              onClick={() => void navigate({ to: '/ledger', search: { ...filters, roomId: undefined } })}
            >
              {t('ledger.onlyRoom', { roomId: filters.roomId })} ✕
            </button>
          )}
        </form>
        <Loaded of={ledger}>
          {({ pages }) => (
            <LedgerTable entries={pages.flatMap(({ entries }) => entries)} isGrouped={filters.roomId === undefined} more={ledger} />
          )}
        </Loaded>
      </Panel>
    </Page>
  );
}

const entryRoute = getRouteApi('/staff/ledger/$entryId');

export function LedgerEntry() {
  const { t } = useTranslation();
  const { entryId } = entryRoute.useParams();
  const explained = useQuery(queries.explained(entryId));
  const { kind, roomId, recordedAt } = explained.data?.entry ?? {};
  const names = useQuery(queries.names(roomId ?? '', roomId ? recordedAt : undefined));
  return (
    <Page title={kind ? t(`ledger.kinds.${kind}`) : t('ledger.entry')} actions={<Link to="/ledger">{t('ledger.back')}</Link>}>
      <Loaded of={explained}>{(data) => <Explanation explained={data} isRoomLinked names={names.data} />}</Loaded>
    </Page>
  );
}
