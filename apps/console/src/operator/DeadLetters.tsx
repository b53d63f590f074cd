import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { Confirm } from '@classroom/page/Dialog';
import { queries, queryClient, type DeadLetter } from '../api/queries.js';
import { useFormat, useTranslation } from '../i18n/index.js';
import { DataTable, type Column } from '../parts/DataTable.js';
import { Facts, Failure, Loaded, Page, Panel } from '../parts/Page.js';
import { api } from '../api/client.js';

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

const route = getRouteApi('/operator/dead-letters/$deadLetterId');
type Action = 'replay' | 'discard';
const ACTIONS: readonly Action[] = ['replay', 'discard'];

/** What identifies a message that a consumer gave up, and what an operator may do with it. */
export function DeadLetterPage() {
  const { t } = useTranslation();
  const { deadLetterId } = route.useParams();
  const letter = useQuery(queries.deadLetter(deadLetterId));
  const [asking, setAsking] = useState<Action>();
  const act = useMutation({
    mutationFn: (action: Action) => (action === 'replay' ? api.replayDeadLetter : api.discardDeadLetter)({ deadLetterId }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: queries.deadLetters.queryKey, exact: true }),
  });
  return (
    <Page title={t('deadLetters.one', { id: deadLetterId })} actions={<Link to="/operator/dead-letters">{t('deadLetters.title')}</Link>}>
      <p role="status">{act.isSuccess ? t(`deadLetters.${act.variables}.done`) : ''}</p>
      {act.error && <Failure error={act.error} />}
      <Loaded of={letter}>
        {(data) => (
          <>
            <Details letter={data} />
            {!act.isSuccess && (
              <div className="page-actions">
                {ACTIONS.map((action) => (
                  <button
                    key={action}
                    type="button"
                    className={action === 'replay' ? 'button primary' : 'button'}
                    data-action={action}
                    disabled={act.isPending}
                    onClick={() => setAsking(action)}
                  >
                    {t(`deadLetters.${action}.do`)}
                  </button>
                ))}
              </div>
            )}
          </>
        )}
      </Loaded>
      {asking && (
        <Confirm
          title={t(`deadLetters.${asking}.title`)}
          text={t(`deadLetters.${asking}.text`)}
          confirmLabel={t(`deadLetters.${asking}.do`)}
          cancelLabel={t('cancel')}
          action={`confirm-${asking}`}
          onConfirm={() => act.mutate(asking)}
          onClose={() => setAsking(undefined)}
        />
      )}
    </Page>
  );
}

function Details({ letter }: { letter: DeadLetter }) {
  const { t } = useTranslation();
  const { exact, number } = useFormat();
  const { organizationId } = letter;
  const organization = organizationId && (
    <Link to="/operator/organizations/$organizationId" params={{ organizationId }}>
      {organizationId}
    </Link>
  );
  return (
    <Panel title={t('deadLetters.facts')} note={t('deadLetters.contentNote')}>
      <Facts
        facts={[
          [t('deadLetters.error'), letter.error || '–'],
          [t('deadLetters.consumer'), letter.consumer],
          [t('deadLetters.attempts'), letter.attempts ?? '–'],
          [t('deadLetters.at'), exact(letter.setAsideAt)],
          [t('deadLetters.subject'), letter.subject || '–'],
          [t('deadLetters.sequence'), letter.originalSequence ?? '–'],
          [t('deadLetters.type'), letter.type ?? '–'],
          [t('deadLetters.messageId'), letter.messageId ?? '–'],
          [t('operator.name'), organization ?? '–'],
          [t('room.id'), letter.roomId ?? '–'],
          [t('deadLetters.sid'), letter.sid ?? '–'],
          [t('deadLetters.trace'), letter.traceId ?? '–'],
          [t('deadLetters.bytes'), number(letter.bytes)],
        ]}
      />
    </Panel>
  );
}
