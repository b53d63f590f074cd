import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { queries } from '../api/queries.js';
import type { DeadLetter } from '../api/types.js';
import { useTranslation } from '../i18n/index.js';
import { DataTable, type Column } from '../parts/DataTable.js';
import { Loaded } from '../parts/Loaded.js';
import { Page } from '../parts/Page.js';
import { useFormat } from '../parts/use-format.js';

/** The messages that consumers gave up. */
export function DeadLetters() {
  const { t, i18n } = useTranslation();
  const { exact } = useFormat();
  const letters = useInfiniteQuery(queries.deadLetters);
  const columns = useMemo(
    (): Column<DeadLetter>[] => [
      {
        id: 'consumer',
        header: t('deadLetters.consumer'),
        width: 'minmax(0, 1.4fr)',
        cell: ({ deadLetterId, consumer, subject }) => (
          <Link to="/operator/dead-letters/$deadLetterId" params={{ deadLetterId }} className="row-link">
            <span className="clip">{consumer}</span>
            <span className="clip quiet small">{subject || '–'}</span>
          </Link>
        ),
      },
      {
        id: 'error',
        header: t('deadLetters.error'),
        width: 'minmax(0, 1.4fr)',
        isDetail: true,
        cell: ({ error }) => <span className="clip">{error || '–'}</span>,
      },
      {
        id: 'organization',
        header: t('operator.name'),
        isDetail: true,
        cell: ({ organizationId }) => <span className="clip">{organizationId ?? '–'}</span>,
      },
      {
        id: 'attempts',
        header: t('deadLetters.attempts'),
        width: '90px',
        isNumber: true,
        isDetail: true,
        cell: ({ attempts }) => attempts ?? '–',
      },
      { id: 'at', header: t('deadLetters.at'), width: '180px', isDetail: true, cell: ({ setAsideAt }) => exact(setAsideAt) },
    ],
    [i18n.language],
  );
  return (
    <Page title={t('deadLetters.title')}>
      <p className="quiet">{t('deadLetters.note')}</p>
      <Loaded of={letters}>
        {({ pages }) => (
          <DataTable
            name={t('deadLetters.title')}
            rows={pages.flatMap((page) => page.deadLetters)}
            idOf={({ deadLetterId }) => deadLetterId}
            columns={columns}
            empty={t('deadLetters.none')}
            more={letters}
          />
        )}
      </Loaded>
    </Page>
  );
}
