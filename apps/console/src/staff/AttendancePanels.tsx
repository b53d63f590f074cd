import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { DataOf } from '@classroom/page/typed-calls';
import { LIVE_MS, queries, type Attendance, type Consent } from '../api/queries.js';
import { useFormat, useTranslation } from '../i18n/index.js';
import { CsvButton, DataTable, type Column } from '../parts/DataTable.js';
import { Badge, Loaded, Panel } from '../parts/Page.js';

type Attendee = Attendance['participants'][number];

export function AttendancePanel({ roomId, isLive }: { roomId: string; isLive: boolean }) {
  const { t } = useTranslation();
  const attendance = useQuery({ ...queries.attendance(roomId), refetchInterval: isLive && LIVE_MS });
  const isEvaluated = attendance.data?.evaluation !== undefined;
  const columns = useColumns(isEvaluated);
  return (
    <Panel
      title={t('attendance.title')}
      note={`${t('attendance.note')} ${attendance.data && !isEvaluated ? t('attendance.noPolicy') : ''}`}
      actions={<CsvButton path={`/v1/room/${encodeURIComponent(roomId)}/attendance`} name="attendance.csv" />}
    >
      <Loaded of={attendance}>
        {({ participants, neverJoined = [] }) => (
          <>
            <DataTable
              name={t('attendance.title')}
              rows={participants}
              idOf={({ uid }) => uid}
              columns={columns}
              empty={t('attendance.none')}
            />
            {neverJoined.length > 0 && (
              <p>
                {t('attendance.absent')} {neverJoined.map(({ uid, name }) => name ?? uid).join(', ')}
              </p>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  );
}

/** @param isEvaluated whether the class has an attendance policy */
function useColumns(isEvaluated: boolean): Column<Attendee>[] {
  const { t, i18n } = useTranslation();
  const { clock, duration, number } = useFormat();
  return useMemo(
    () => [
      {
        id: 'name',
        header: t('attendance.name'),
        width: 'minmax(0, 2fr)',
        sortBy: ({ name }) => name,
        cell: ({ uid, name }) => (
          <span className="two-lines">
            <span className="clip">{name}</span>
            <span className="clip quiet small">{uid}</span>
          </span>
        ),
      },
      {
        id: 'role',
        header: t('attendance.role'),
        isDetail: true,
        sortBy: ({ role }) => role,
        cell: ({ role }) => t(`roles.${role}`, { defaultValue: role }),
      },
      {
        id: 'from',
        header: t('attendance.from'),
        width: '90px',
        isDetail: true,
        sortBy: ({ firstJoinedAt }) => firstJoinedAt,
        cell: ({ firstJoinedAt }) => clock(firstJoinedAt),
      },
      {
        id: 'to',
        header: t('attendance.to'),
        width: '110px',
        isDetail: true,
        cell: ({ isPresent, lastLeftAt }) =>
          isPresent ? <Badge kind="live">{t('attendance.present')}</Badge> : lastLeftAt && clock(lastLeftAt),
      },
      {
        id: 'duration',
        header: t('attendance.duration'),
        width: '110px',
        isNumber: true,
        sortBy: ({ duration }) => duration,
        cell: (row) => duration(row.duration),
      },
      {
        id: 'share',
        header: t('attendance.share'),
        width: '110px',
        isNumber: true,
        isDetail: true,
        sortBy: ({ percentOfClass }) => percentOfClass,
        cell: ({ percentOfClass }) => `${number(percentOfClass)} %`,
      },
      ...(isEvaluated
        ? [
            {
              id: 'verdict',
              header: t('attendance.verdict'),
              width: '120px',
              isDetail: true,
              cell: ({ evaluation }: Attendee) =>
                evaluation ? t(`attendance.statuses.${evaluation.status}`, { defaultValue: evaluation.status }) : '–',
            },
          ]
        : []),
    ],
    [i18n.language, isEvaluated],
  );
}

type Engagement = DataOf<'listEngagement'>['participants'][number];

export function EngagementPanel({ roomId }: { roomId: string }) {
  const { t, i18n } = useTranslation();
  const { duration, number } = useFormat();
  const engagement = useQuery(queries.engagement(roomId));
  const columns = useMemo((): Column<Engagement>[] => {
    const seconds = (value: number | null) => (value === null ? '–' : duration(value));
    const counted = (id: 'handsRaised' | 'chatMessages' | 'reactions' | 'pollAnswers' | 'boardElements'): Column<Engagement> => ({
      id,
      header: t(`engagement.${id}`),
      width: '100px',
      isNumber: true,
      isDetail: true,
      sortBy: (row) => row[id],
      cell: (row) => number(row[id]),
    });
    return [
      {
        id: 'name',
        header: t('attendance.name'),
        width: 'minmax(0, 2fr)',
        sortBy: ({ name }) => name,
        cell: ({ name }) => <span className="clip">{name}</span>,
      },
      {
        id: 'talk',
        header: t('engagement.talk'),
        width: '110px',
        isNumber: true,
        sortBy: ({ talkSeconds }) => talkSeconds ?? -1,
        cell: ({ talkSeconds }) => seconds(talkSeconds),
      },
      {
        id: 'camera',
        header: t('engagement.camera'),
        width: '110px',
        isNumber: true,
        isDetail: true,
        sortBy: ({ cameraSeconds }) => cameraSeconds ?? -1,
        cell: ({ cameraSeconds }) => seconds(cameraSeconds),
      },
      counted('handsRaised'),
      counted('chatMessages'),
      counted('reactions'),
      counted('boardElements'),
      counted('pollAnswers'),
    ];
  }, [i18n.language]);
  return (
    <Panel
      title={t('engagement.title')}
      note={engagement.data?.some(({ talkSeconds }) => talkSeconds === null) ? t('engagement.unmeasured') : undefined}
    >
      <Loaded of={engagement}>
        {(rows) => (
          <DataTable name={t('engagement.title')} rows={rows} idOf={({ uid }) => uid} columns={columns} empty={t('attendance.none')} />
        )}
      </Loaded>
    </Panel>
  );
}

/** What participants have answered to the question for consent. They may answer before the class begins. */
export function ConsentsPanel({ roomId, isOver }: { roomId: string; isOver: boolean }) {
  const { t, i18n } = useTranslation();
  const { exact } = useFormat();
  const consents = useInfiniteQuery({ ...queries.consents(roomId), refetchInterval: !isOver && LIVE_MS });
  const latest = consents.data?.pages.at(-1)?.consents.at(-1);
  // A new answer may be of a new participant, whose name is read then.
  const names = useQuery(queries.names(roomId, latest?.answeredAt));
  const columns = useMemo(
    (): Column<Consent>[] => [
      {
        id: 'name',
        header: t('attendance.name'),
        width: 'minmax(0, 2fr)',
        cell: ({ uid }) => (
          <span className="two-lines">
            <span className="clip">{names.data?.get(uid) ?? uid}</span>
            <span className="clip quiet small">{uid}</span>
          </span>
        ),
      },
      {
        id: 'answer',
        header: t('consents.answer'),
        width: '130px',
        cell: ({ granted }) => <Badge kind={granted ? 'active' : 'plain'}>{t(granted ? 'consents.granted' : 'consents.refused')}</Badge>,
      },
      { id: 'version', header: t('consents.version'), width: '140px', isDetail: true, cell: ({ version }) => version },
      { id: 'at', header: t('ledger.at'), isDetail: true, cell: ({ answeredAt }) => exact(answeredAt) },
    ],
    [i18n.language, names.data],
  );
  return (
    <Panel title={t('consents.title')} note={t('consents.note')}>
      <Loaded of={consents}>
        {({ pages }) => (
          <DataTable
            name={t('consents.title')}
            rows={pages.flatMap((page) => page.consents)}
            idOf={({ uid, answeredAt }) => `${uid} ${answeredAt}`}
            columns={columns}
            empty={t('consents.none')}
            more={consents}
          />
        )}
      </Loaded>
    </Panel>
  );
}
