import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useMemo } from 'react';
import { queries } from '../api/queries.js';
import type { ChargedClass, UsageDay } from '../api/types.js';
import { daysOfMonth, monthAfter, monthOf } from '../format/days.js';
import { useTranslation } from '../i18n/index.js';
import { DataTable, type Column } from '../parts/DataTable.js';
import { Loaded } from '../parts/Loaded.js';
import { Page, Panel } from '../parts/Page.js';
import { useFormat } from '../parts/use-format.js';
import { AlertsPanel } from './AlertsPanel.js';
import { LoadingUsage, UsageChart, usedColumns } from './UsageChart.js';
import { UsageYear } from './UsageYear.js';

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
