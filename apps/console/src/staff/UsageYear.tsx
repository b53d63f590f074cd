import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { queries } from '../api/queries.js';
import type { UsageDay } from '../api/types.js';
import { daysOfMonth, yearUntil } from '../format/days.js';
import { useTranslation } from '../i18n/index.js';
import { Chart } from '../parts/Chart.js';
import { DataTable, type Column } from '../parts/DataTable.js';
import { Empty, Loaded } from '../parts/Loaded.js';
import { Panel } from '../parts/Page.js';
import { useFormat } from '../parts/use-format.js';
import { totalOf, usedColumns, type Used } from './UsageChart.js';

const MONTH_S = 30 * 86_400;

interface UsedMonth extends Used {
  month: string;
}

/** Twelve months next to each other. A month leads to its days. */
export function UsageYear({ month }: { month: string }) {
  const { t } = useTranslation();
  const year = useQuery(queries.days(daysOfMonth(yearUntil(month)[0] ?? month).from, daysOfMonth(month).to));
  return (
    <Panel title={t('usage.year')}>
      <Loaded of={year}>{(days) => <Months month={month} days={days} />}</Loaded>
    </Panel>
  );
}

function Months({ month: last, days }: { month: string; days: readonly UsageDay[] }) {
  const { t, i18n } = useTranslation();
  const { number, month: monthName, shortMonth } = useFormat();
  const navigate = useNavigate();
  const { months, times, values } = useMemo(() => {
    const months = yearUntil(last).map((month) => monthOf(month, days));
    return { months, times: months.map(({ month }) => Date.parse(month) / 1000), values: months.map(({ credits }) => credits) };
  }, [last, days]);
  const columns = useMemo(
    (): Column<UsedMonth>[] => [
      {
        id: 'month',
        header: t('usage.month'),
        sortBy: ({ month }) => month,
        cell: ({ month }) => (
          <Link to="/usage" search={{ month }}>
            {monthName(month)}
          </Link>
        ),
      },
      ...usedColumns(t, number),
    ],
    [i18n.language],
  );
  const { classes, credits } = totalOf(days);
  if (classes === 0 && credits === 0) return <Empty>{t('usage.first')}</Empty>;
  return (
    <>
      <Chart
        label={t('usage.yearChart', { credits: number(credits), count: classes })}
        times={times}
        values={values}
        kind="bars"
        barS={MONTH_S}
        timeZone="UTC"
        format={number}
        formatTime={(seconds) => shortMonth(seconds * 1000)}
        onChoose={(index) => void navigate({ to: '/usage', search: { month: months[index]?.month } })}
      />
      <DataTable name={t('usage.year')} rows={usedMonths(months)} idOf={({ month }) => month} columns={columns} empty={t('usage.none')} />
    </>
  );
}

const monthOf = (month: string, days: readonly UsageDay[]): UsedMonth => ({
  month,
  ...totalOf(days.filter(({ day }) => day.startsWith(month))),
});

/** Newest first. The chart shows the months without classes. */
const usedMonths = (months: readonly UsedMonth[]) => months.filter(({ classes, credits }) => classes > 0 || credits > 0).reverse();
