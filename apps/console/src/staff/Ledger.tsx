import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { download } from '../api/client.js';
import { queries } from '../api/queries.js';
import type { Usage } from '../api/types.js';
import { useTranslation } from '../i18n/index.js';
import { BalanceFigures } from '../parts/BalanceFigures.js';
import { Failure, Loaded } from '../parts/Loaded.js';
import { Page, Panel } from '../parts/Page.js';
import { useFormat } from '../parts/use-format.js';
import { LedgerTable } from './LedgerTable.js';

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
            {statements.length > 0 && <Statements statements={statements} />}
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
        <Loaded of={ledger}>{({ pages }) => <LedgerTable entries={pages.flatMap(({ entries }) => entries)} more={ledger} />}</Loaded>
      </Panel>
    </Page>
  );
}

function Statements({ statements }: { statements: Usage['statements'] }) {
  const { t } = useTranslation();
  const { moment, number, amount, language } = useFormat();
  const file = useMutation({
    mutationFn: ({ statementId, cycleStart }: Usage['statements'][number]) =>
      download(
        `/v1/dashboard/statements/${statementId}/pdf?language=${language === 'de' ? 'de' : 'en'}`,
        `statement-${cycleStart.slice(0, 10)}.pdf`,
      ),
  });
  return (
    <Panel title={t('statements.title')}>
      <ul className="lines">
        {statements.map((statement) => (
          <li key={statement.statementId}>
            <span>{t('statements.cycle', { from: moment(statement.cycleStart), to: moment(statement.cycleEnd) })}</span>
            <span>{t('creditsOf', { credits: number(statement.creditsConsumed) })}</span>
            <strong>{amount(statement.amount, statement.currency)}</strong>
            <button
              type="button"
              className="button"
              data-action="statement-pdf"
              disabled={file.isPending}
              onClick={() => file.mutate(statement)}
            >
              PDF
            </button>
          </li>
        ))}
      </ul>
      {file.error && <Failure error={file.error} />}
    </Panel>
  );
}
