import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { queries, type Room, type RoomFilters } from '../api/queries.js';
import { classState } from './class-state.js';
import { useFormat, useTranslation } from '../i18n/index.js';
import { CsvButton, DataTable, type Column } from '../parts/DataTable.js';
import { Badge, FirstStep, Loaded, Page } from '../parts/Page.js';

const route = getRouteApi('/staff/rooms');
const STATES = ['live', 'created', 'finished'] as const;
/** Milliseconds without a key before a search is sent. */
const TYPING_MS = 300;

export function Rooms() {
  const { t } = useTranslation();
  const filters = route.useSearch();
  const rooms = useInfiniteQuery(queries.rooms(filters));
  const columns = useRoomColumns();
  return (
    <Page title={t('nav.rooms')}>
      <Filters filters={filters} />
      <Loaded of={rooms}>
        {({ pages }) => (
          <DataTable
            name={t('nav.rooms')}
            rows={pages.flatMap((page) => page.rooms)}
            idOf={({ roomId }) => roomId}
            columns={columns}
            empty={isFiltered(filters) ? t('rooms.none') : <FirstStep text={t('rooms.first')} />}
            more={rooms}
          />
        )}
      </Loaded>
    </Page>
  );
}

const isFiltered = (filters: RoomFilters) => Object.values(filters).some((value) => value !== undefined);

function Filters({ filters }: { filters: RoomFilters }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [title, setTitle] = useState(filters.title ?? '');
  const apply = (change: RoomFilters) => void navigate({ to: '/rooms', search: { ...filters, ...change }, replace: true });
  useEffect(() => {
    if (title === (filters.title ?? '')) return undefined;
    const timer = setTimeout(() => apply({ title: title || undefined }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [title]);
  return (
    <form className="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <label>
        {t('rooms.search')}
        <input type="search" maxLength={256} value={title} onChange={({ target }) => setTitle(target.value)} />
      </label>
      <label>
        {t('rooms.state')}
        <select value={filters.status ?? ''} onChange={({ target }) => apply({ status: STATES.find((state) => state === target.value) })}>
          <option value="">{t('all')}</option>
          {STATES.map((state) => (
            <option key={state} value={state}>
              {t(`states.${state}`)}
            </option>
          ))}
        </select>
      </label>
      <label>
        {t('rooms.from')}
        <input
          type="date"
          name="from"
          max={filters.startedTo}
          value={filters.startedFrom ?? ''}
          onChange={({ target }) => apply({ startedFrom: target.value || undefined })}
        />
      </label>
      <label>
        {t('rooms.to')}
        <input
          type="date"
          name="to"
          min={filters.startedFrom}
          value={filters.startedTo ?? ''}
          onChange={({ target }) => apply({ startedTo: target.value || undefined })}
        />
      </label>
      <CsvButton path="/v1/rooms" query={{ ...filters }} name="classes.csv" />
    </form>
  );
}

function useRoomColumns(): Column<Room>[] {
  const { t, i18n } = useTranslation();
  const { moment, duration, number } = useFormat();
  return useMemo(
    () => [
      {
        id: 'title',
        header: t('rooms.title'),
        width: 'minmax(0, 2fr)',
        cell: ({ roomId, title }) => (
          <Link to="/rooms/$roomId" params={{ roomId }} className="row-link">
            <span className="clip">{title}</span>
            <span className="clip quiet small">{roomId}</span>
          </Link>
        ),
      },
      {
        id: 'status',
        header: t('rooms.state'),
        width: '144px',
        cell: (room) => <Badge kind={classState(room)}>{t(`states.${classState(room)}`)}</Badge>,
      },
      {
        id: 'teacher',
        header: t('rooms.teacher'),
        isDetail: true,
        cell: ({ teachers = [] }) => <span className="clip">{teachers.join(', ') || '–'}</span>,
      },
      {
        id: 'started',
        header: t('rooms.started'),
        width: '170px',
        isDetail: true,
        cell: ({ startedAt, startsAt }) => {
          if (startsAt && (!startedAt || startsAt > new Date().toISOString())) return t('rooms.planned', { time: moment(startsAt) });
          return startedAt ? moment(startedAt) : '–';
        },
      },
      {
        id: 'length',
        header: t('rooms.length'),
        width: '80px',
        isNumber: true,
        isDetail: true,
        cell: ({ startedAt, endedAt }) => (startedAt && endedAt ? duration((Date.parse(endedAt) - Date.parse(startedAt)) / 1000) : '–'),
      },
      {
        id: 'people',
        header: t('rooms.people'),
        width: '120px',
        isNumber: true,
        isDetail: true,
        cell: ({ status, participantCount, totalParticipants }) => {
          const all = totalParticipants === undefined ? '–' : number(totalParticipants);
          return status === 'live' ? t('rooms.now', { now: number(participantCount), all }) : all;
        },
      },
    ],
    [i18n.language],
  );
}
