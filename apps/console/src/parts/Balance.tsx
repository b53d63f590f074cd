import { useMutation } from '@tanstack/react-query';
import type { Balance, Usage } from '../api/queries.js';
import { useFormat, useTranslation } from '../i18n/index.js';
import { Badge, Failure, Figure } from './Page.js';
import { download } from '../api/client.js';

export function BalanceFigures({ balance }: { balance: Balance }) {
  const { t } = useTranslation();
  const { number, amount, moment } = useFormat();
  const { forecast, currency } = balance;
  const rate = forecast ? t('balance.rate', { credits: number(forecast.creditsPerHour) }) : undefined;
  if (balance.type === 'POSTPAID')
    return (
      <dl className="figures">
        <Figure name={t('balance.consumed')} value={number(balance.creditsConsumed)} note={rate} />
        <Figure name={t('balance.cost')} value={amount(balance.estimatedCost, currency)} />
        <Figure
          name={t('balance.classes')}
          value={number(balance.classroomsThisCycle)}
          note={t('since', { time: moment(balance.cycleStartDate) })}
        />
      </dl>
    );
  const zero = forecast && 'reachesZeroAt' in forecast && forecast.reachesZeroAt;
  return (
    <dl className="figures">
      <Figure
        name={t('balance.remaining')}
        value={number(balance.remainingCredits)}
        note={balance.isOverconsumed ? <Badge kind="failed">{t('balance.overconsumed')}</Badge> : rate}
      />
      <Figure name={t('balance.value')} value={amount(balance.estimatedValue, currency)} />
      {zero && <Figure name={t('balance.zero')} value={moment(zero)} />}
    </dl>
  );
}

/** As high as the figures of a prepaid balance. */
export function LoadingFigures() {
  const { t } = useTranslation();
  return (
    <dl className="figures">
      <Figure name={t('balance.remaining')} value={t('loading')} />
      <Figure name={t('balance.value')} value="…" />
    </dl>
  );
}

interface StatementListProps {
  statements: Usage['statements'];
  /** The path below which each statement is a PDF file. */
  path: string;
}

/** The closed cycles of a postpaid plan, each with its PDF file in the language of the page. */
export function StatementList({ statements, path }: StatementListProps) {
  const { t } = useTranslation();
  const { moment, number, amount, language } = useFormat();
  const file = useMutation({
    mutationFn: ({ statementId, cycleStart }: Usage['statements'][number]) =>
      download(`${path}/${statementId}/pdf?language=${language === 'de' ? 'de' : 'en'}`, `statement-${cycleStart.slice(0, 10)}.pdf`),
  });
  return (
    <>
      <ul className="lines">
        {statements.map((statement) => {
          const cycle = t('statements.cycle', { from: moment(statement.cycleStart), to: moment(statement.cycleEnd) });
          return (
            <li key={statement.statementId}>
              <span>{cycle}</span>
              <span>{t('creditsOf', { count: statement.creditsConsumed, credits: number(statement.creditsConsumed) })}</span>
              <strong>{amount(statement.amount, statement.currency)}</strong>
              <button
                type="button"
                className="button"
                data-action="statement-pdf"
                aria-label={`PDF, ${cycle}`}
                disabled={file.isPending}
                onClick={() => file.mutate(statement)}
              >
                PDF
              </button>
            </li>
          );
        })}
      </ul>
      {file.error && <Failure error={file.error} />}
    </>
  );
}
