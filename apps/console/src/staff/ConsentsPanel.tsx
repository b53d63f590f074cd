import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { LIVE_MS, queries, type Consent } from '../api/queries.js';
import { useFormat, useTranslation } from '../i18n/index.js';
import { DataTable, type Column } from '../parts/DataTable.js';
import { Badge, Loaded, Panel } from '../parts/Page.js';

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
