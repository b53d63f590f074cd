import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { UsageDay } from '../api/queries.js';
import { daysBetween, daysOfMonth } from './days.js';
import { useFormat, useTranslation } from '../i18n/index.js';
import { Chart } from '../parts/Chart.js';
import { Empty, Figure } from '../parts/Page.js';
import type { Column } from '../parts/DataTable.js';

/** Classes of some time, and what they were charged. */
export interface Used {
  classes: number;
  credits: number;
}

export function totalOf(used: readonly Used[]): Used {
  const sum = (of: keyof Used) => used.reduce((total, one) => total + one[of], 0);
  return { classes: sum('classes'), credits: sum('credits') };
}

/** The columns of classes and credits. */
export const usedColumns = (t: ReturnType<typeof useTranslation>['t'], number: (value: number) => string): Column<Used>[] =>
  (['classes', 'credits'] as const).map((id) => ({
    id,
    header: t(`usage.${id}`),
    width: '120px',
    isNumber: true,
    sortBy: (used) => used[id],
    cell: (used) => number(used[id]),
  }));

/** As high as the chart with its figures. */
export function LoadingUsage() {
  const { t } = useTranslation();
  return (
    <>
      <dl className="figures">
        <Figure name={t('usage.credits')} value={t('loading')} />
        <Figure name={t('usage.classes')} value="…" />
      </dl>
      <div className="chart" />
    </>
  );
}

/** What the classes of a month cost, day by day. A day leads to its classes. */
export function UsageChart({ month, days }: { month: string; days: readonly UsageDay[] }) {
  const { t } = useTranslation();
  const { number, day: dayName } = useFormat();
  const navigate = useNavigate();
  const { names, times, values } = useMemo(() => {
    const { from, to } = daysOfMonth(month);
    const names = daysBetween(from, to);
    const used = new Map(days.map(({ day, credits }) => [day, credits]));
    return { names, times: names.map((day) => Date.parse(day) / 1000), values: names.map((day) => used.get(day) ?? 0) };
  }, [month, days]);
  const { classes, credits } = totalOf(days);
  return (
    <>
      <dl className="figures">
        <Figure name={t('usage.credits')} value={number(credits)} />
        <Figure name={t('usage.classes')} value={number(classes)} />
      </dl>
      {classes === 0 && credits === 0 ? (
        <div className="chart no-data">
          <Empty>{t('usage.first')}</Empty>
        </div>
      ) : (
        <Chart
          label={t('usage.chart', { credits: number(credits), count: classes })}
          times={times}
          values={values}
          kind="bars"
          timeZone="UTC"
          format={number}
          formatTime={(seconds) => dayName(new Date(seconds * 1000).toISOString())}
          onChoose={(index) => void navigate({ to: '/usage', search: { month, day: names[index] } })}
        />
      )}
    </>
  );
}
