import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Attendance } from '../api/types.js';
import { LIVE_MS, queries } from '../api/queries.js';
import { useTranslation } from '../i18n/index.js';
import { CsvButton } from '../parts/CsvButton.js';
import { DataTable, type Column } from '../parts/DataTable.js';
import { Loaded } from '../parts/Loaded.js';
import { Badge, Panel } from '../parts/Page.js';
import { useFormat } from '../parts/use-format.js';

type Row = Attendance['participants'][number];

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
function useColumns(isEvaluated: boolean): Column<Row>[] {
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
              cell: ({ evaluation }: Row) =>
                evaluation ? t(`attendance.statuses.${evaluation.status}`, { defaultValue: evaluation.status }) : '–',
            },
          ]
        : []),
    ],
    [i18n.language, isEvaluated],
  );
}
