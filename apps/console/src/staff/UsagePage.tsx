import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { queries, type ChargedClass, type UsageDay } from '../api/queries.js';
import { daysOfMonth, monthAfter, monthOf, yearUntil } from './days.js';
import { useFormat, useTranslation } from '../i18n/index.js';
import { Chart } from '../parts/Chart.js';
import { DataTable, type Column } from '../parts/DataTable.js';
import { Empty, Loaded, Page, Panel } from '../parts/Page.js';
import { LoadingUsage, totalOf, UsageChart, usedColumns, type Used } from './UsageChart.js';
import { AlertsPanel } from './AlertsPanel.js';

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
    const months = yearUntil(last).map((month) => usedIn(month, days));
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

const usedIn = (month: string, days: readonly UsageDay[]): UsedMonth => ({
  month,
  ...totalOf(days.filter(({ day }) => day.startsWith(month))),
});

/** Newest first. The chart shows the months without classes. */
const usedMonths = (months: readonly UsedMonth[]) => months.filter(({ classes, credits }) => classes > 0 || credits > 0).reverse();

const route = getRouteApi('/staff/usage');

/** From a year to its months and days, from a day to its classes; a class leads to its charges, and a charge to its sessions. */
export function UsagePage() {
  const { t } = useTranslation();
  const format = useFormat();
  const { month = monthOf(new Date()), day } = route.useSearch();
  const { from, to } = daysOfMonth(month);
  const days = useQuery(queries.days(from, to));
  const step = (count: number) => ({ month: monthAfter(month, count) });
  const actions = (
    <>
      <Link to="/usage" search={step(-1)} className="icon-button" aria-label={t('usage.earlier')} title={t('usage.earlier')}>
        <ChevronLeft aria-hidden />
      </Link>
      <span>{format.month(month)}</span>
      <Link to="/usage" search={step(1)} className="icon-button" aria-label={t('usage.later')} title={t('usage.later')}>
        <ChevronRight aria-hidden />
      </Link>
    </>
  );
  return (
    <Page title={t('nav.usage')} actions={actions}>
      <Panel
        title={t('usage.of', { month: format.month(month) })}
        note={t('usage.note')}
        actions={
          <Link to="/ledger" search={{ kind: 'AI_USAGE' }}>
            {t('usage.ai')}
          </Link>
        }
      >
        <Loaded of={days} placeholder={<LoadingUsage />}>
          {(used) => <UsageChart month={month} days={used} />}
        </Loaded>
      </Panel>
      {day ? <Day day={day} month={month} /> : <Loaded of={days}>{(used) => <Days month={month} days={used} />}</Loaded>}
      {!day && <UsageYear month={month} />}
      {!day && <AlertsPanel />}
    </Page>
  );
}

function Days({ month, days }: { month: string; days: readonly UsageDay[] }) {
  const { t, i18n } = useTranslation();
  const { day: dayName, number } = useFormat();
  const columns = useMemo(
    (): Column<UsageDay>[] => [
      {
        id: 'day',
        header: t('usage.day'),
        sortBy: ({ day }) => day,
        cell: ({ day }) => (
          <Link to="/usage" search={{ month, day }}>
            {dayName(day)}
          </Link>
        ),
      },
      ...usedColumns(t, number),
    ],
    [i18n.language, month],
  );
  return (
    <Panel title={t('usage.days')}>
      <DataTable name={t('usage.days')} rows={days} idOf={({ day }) => day} columns={columns} empty={t('usage.none')} />
    </Panel>
  );
}

function Day({ month, day }: { month: string; day: string }) {
  const { t, i18n } = useTranslation();
  const { day: dayName, clock, number } = useFormat();
  const classes = useQuery(queries.day(day));
  const columns = useMemo(
    (): Column<ChargedClass>[] => [
      {
        id: 'title',
        header: t('rooms.title'),
        width: 'minmax(0, 2fr)',
        sortBy: ({ title }) => title,
        cell: ({ roomId, title }) => (
          <Link to="/rooms/$roomId" params={{ roomId }} className="row-link">
            <span className="clip">{title}</span>
            <span className="clip quiet small">{roomId}</span>
          </Link>
        ),
      },
      {
        id: 'started',
        header: t('rooms.started'),
        width: '110px',
        isDetail: true,
        sortBy: ({ startedAt }) => startedAt,
        cell: ({ startedAt }) => clock(startedAt),
      },
      {
        id: 'credits',
        header: t('usage.credits'),
        width: '120px',
        isNumber: true,
        sortBy: ({ credits }) => credits,
        cell: ({ roomId, credits }) => (
          <Link to="/ledger" search={{ roomId }} aria-label={t('usage.entries', { credits: number(credits), roomId })}>
            {number(credits)}
          </Link>
        ),
      },
    ],
    [i18n.language],
  );
  return (
    <Panel
      title={t('usage.classesOf', { day: dayName(day) })}
      actions={
        <Link to="/usage" search={{ month }}>
          {t('usage.wholeMonth')}
        </Link>
      }
    >
      <Loaded of={classes}>
        {(rows) => (
          <DataTable name={t('usage.classes')} rows={rows} idOf={({ roomId }) => roomId} columns={columns} empty={t('usage.none')} />
        )}
      </Loaded>
    </Panel>
  );
}
