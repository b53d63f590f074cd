import type { Balance } from '../api/types.js';
import { useTranslation } from '../i18n/index.js';
import { Badge, Figure } from './Page.js';
import { useFormat } from './use-format.js';

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
