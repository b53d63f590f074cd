import { useQuery } from '@tanstack/react-query';
import type { DataOf } from '@classroom/page/typed-calls';
import { useMemo } from 'react';
import { queries } from '../api/queries.js';
import { useTranslation } from '../i18n/index.js';
import { DataTable, type Column } from '../parts/DataTable.js';
import { Loaded } from '../parts/Loaded.js';
import { Panel } from '../parts/Page.js';
import { useFormat } from '../parts/use-format.js';

type Row = DataOf<'listEngagement'>['participants'][number];

export function EngagementPanel({ roomId }: { roomId: string }) {
  const { t, i18n } = useTranslation();
  const { duration, number } = useFormat();
  const engagement = useQuery(queries.engagement(roomId));
  const columns = useMemo((): Column<Row>[] => {
    const seconds = (value: number | null) => (value === null ? '–' : duration(value));
    const counted = (id: 'handsRaised' | 'chatMessages' | 'reactions' | 'pollAnswers' | 'boardElements'): Column<Row> => ({
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
