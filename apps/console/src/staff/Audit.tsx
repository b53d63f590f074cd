import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { queries } from '../api/queries.js';
import type { AuditEntry } from '../api/types.js';
import { useTranslation } from '../i18n/index.js';
import { DataTable, type Column } from '../parts/DataTable.js';
import { Loaded } from '../parts/Loaded.js';
import { Page } from '../parts/Page.js';
import { useFormat } from '../parts/use-format.js';

export function Audit() {
  const { t, i18n } = useTranslation();
  const { exact } = useFormat();
  const audit = useInfiniteQuery(queries.audit);
  const columns = useMemo(
    (): Column<AuditEntry>[] => [
      {
        id: 'operation',
        header: t('audit.operation'),
        width: 'minmax(0, 2fr)',
        cell: ({ operation, target, fields }) => (
          <span className="two-lines">
            <span className="clip">{operation}</span>
            <span className="clip quiet small">{[...Object.values(target), ...fields].join(', ')}</span>
          </span>
        ),
      },
      { id: 'at', header: t('ledger.at'), isDetail: true, cell: ({ at }) => exact(at) },
      {
        id: 'actor',
        header: t('audit.actor'),
        cell: ({ actor }) => (
          <span className="two-lines">
            <span className="clip">{actor.id}</span>
            <span className="clip quiet small">{t(`audit.actors.${actor.type}`, { defaultValue: actor.type })}</span>
          </span>
        ),
      },
      { id: 'status', header: t('audit.status'), width: '90px', isNumber: true, isDetail: true, cell: ({ status }) => status ?? '–' },
    ],
    [i18n.language],
  );
  return (
    <Page title={t('nav.audit')}>
      <p className="quiet">{t('audit.note')}</p>
      <Loaded of={audit}>
        {({ pages }) => (
          <DataTable
            name={t('nav.audit')}
            rows={pages.flatMap(({ entries }) => entries)}
            idOf={({ id }) => id}
            columns={columns}
            empty={t('audit.none')}
            more={audit}
          />
        )}
      </Loaded>
    </Page>
  );
}
