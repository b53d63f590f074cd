import { ApiError } from '@classroom/page/api-error';
import { Confirm } from '@classroom/page/Dialog';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { api } from '../api/client.js';
import { queries } from '../api/queries.js';
import type { AuditEntry } from '../api/types.js';
import { useTranslation } from '../i18n/index.js';
import { DataTable, type Column } from '../parts/DataTable.js';
import { Failure, Loaded } from '../parts/Loaded.js';
import { Page } from '../parts/Page.js';
import { useFormat } from '../parts/use-format.js';

const SIGN_INS = ['issueDashboardToken', 'createDashboardToken'];
/** The longest lifetime of a session. */
const LONGEST_MS = 12 * 3_600_000;

/** Whether the entry is a sign-in whose session may still be open. Its id is that of the entry. */
const maySignOut = ({ operation, status, at }: AuditEntry) =>
  SIGN_INS.includes(operation) && status === 200 && Date.parse(at) > Date.now() - LONGEST_MS;

/** Ends a session, unless it is over already. */
const endSession = async (sessionId: string) => {
  await api.endDashboardSession({ sessionId }).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'NOT_FOUND') throw error;
  });
  return sessionId;
};

export function Audit() {
  const { t, i18n } = useTranslation();
  const { exact } = useFormat();
  const audit = useInfiniteQuery(queries.audit);
  const isOwner = useQuery(queries.profile).data?.role === 'OWNER';
  const [ending, setEnding] = useState<AuditEntry>();
  const [ended, setEnded] = useState<readonly string[]>([]);
  const end = useMutation({ mutationFn: endSession, onSuccess: (sessionId) => setEnded((before) => [...before, sessionId]) });
  const columns = useMemo(
    (): Column<AuditEntry>[] => [
      {
        id: 'operation',
        header: t('audit.operation'),
        width: 'minmax(0, 2fr)',
        cell: (entry) => (
          <span className="two-lines">
            <span className="clip">{entry.operation}</span>
            <span className="clip quiet small">{[...Object.values(entry.target), ...entry.fields].join(', ')}</span>
            {isOwner && maySignOut(entry) && (
              <span>
                {ended.includes(entry.id) ? (
                  <span role="status" className="quiet small">
                    {t('audit.sessionEnded')}
                  </span>
                ) : (
                  <button
                    type="button"
                    className="button"
                    data-action="end-session"
                    disabled={end.isPending}
                    aria-label={t('audit.endSessionOf', { name: entry.target['subject'] })}
                    onClick={() => setEnding(entry)}
                  >
                    {t('audit.endSession')}
                  </button>
                )}
              </span>
            )}
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
    [i18n.language, isOwner, ended, end.isPending],
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
      {end.error && <Failure error={end.error} />}
      {ending && (
        <Confirm
          title={t('audit.endSessionOf', { name: ending.target['subject'] })}
          text={t('audit.endSessionText')}
          confirmLabel={t('audit.endSession')}
          cancelLabel={t('cancel')}
          action="confirm-end-session"
          onConfirm={() => end.mutate(ending.id)}
          onClose={() => setEnding(undefined)}
        />
      )}
    </Page>
  );
}
