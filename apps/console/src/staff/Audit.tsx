import { ApiError } from '@classroom/page/api-error';
import { Confirm } from '@classroom/page/Dialog';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { api } from '../api/client.js';
import { queries, type AuditEntry, type AuditFilters } from '../api/queries.js';
import { useFormat, useTranslation } from '../i18n/index.js';
import { Badge, Failure, Loaded, Page } from '../parts/Page.js';
import en from '../i18n/en.json';
import { DataTable, type Column } from '../parts/DataTable.js';

const SIGN_INS = ['issueDashboardToken', 'issueDashboardTokenForOrganization'];
/** The longest lifetime of a session. */
const LONGEST_MS = 12 * 3_600_000;

/** Whether the entry is a sign-in whose session may still be open. Its id is that of the entry. */
const mayBeOpen = ({ operation, status, at }: AuditEntry) =>
  SIGN_INS.includes(operation) && status === 200 && Date.parse(at) > Date.now() - LONGEST_MS;

/** Ends a session, unless it is over already. */
const endSession = (sessionId: string) =>
  api.endDashboardSession({ sessionId }).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'NOT_FOUND') throw error;
  });

/** Where the entry is a sign-in: a button with which an owner ends its session. */
export function EndSession({ of: entry }: { of: AuditEntry }) {
  const { t } = useTranslation();
  const isOwner = useQuery(queries.profile).data?.role === 'OWNER';
  const [isAsking, setAsking] = useState(false);
  const end = useMutation({ mutationFn: () => endSession(entry.id) });
  if (!isOwner || !mayBeOpen(entry)) return null;
  if (end.isSuccess)
    return (
      <span role="status" className="quiet small">
        {t('audit.sessionEnded')}
      </span>
    );
  const name = entry.target['subject'];
  return (
    <span>
      <button
        type="button"
        className="button"
        data-action="end-session"
        disabled={end.isPending}
        aria-label={t('audit.endSessionOf', { name })}
        onClick={() => setAsking(true)}
      >
        {t('audit.endSession')}
      </button>
      {end.error && <Failure error={end.error} />}
      {isAsking && (
        <Confirm
          title={t('audit.endSessionOf', { name })}
          text={t('audit.endSessionText')}
          confirmLabel={t('audit.endSession')}
          cancelLabel={t('cancel')}
          action="confirm-end-session"
          onConfirm={() => end.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
    </span>
  );
}

const route = getRouteApi('/staff/audit');
const OPERATIONS = Object.keys(en.audit.did);

/** Who did what, in sentences, with the data of the entry on demand. */
export function Audit() {
  const { t, i18n } = useTranslation();
  const { exact } = useFormat();
  const filters = route.useSearch();
  const audit = useInfiniteQuery(queries.audit(filters));
  const columns = useMemo(
    (): Column<AuditEntry>[] => [
      { id: 'operation', header: t('audit.operation'), width: 'minmax(0, 3fr)', cell: (entry) => <Sentence entry={entry} /> },
      { id: 'at', header: t('ledger.at'), width: '190px', isDetail: true, cell: ({ at }) => exact(at) },
    ],
    [i18n.language],
  );
  return (
    <Page title={t('nav.audit')}>
      <p className="quiet">{t('audit.note')}</p>
      <Filters filters={filters} />
      <Loaded of={audit}>
        {({ pages }) => (
          <DataTable
            name={t('nav.audit')}
            rows={pages.flatMap(({ entries }) => entries)}
            idOf={({ id }) => id}
            columns={columns}
            empty={t(filters.operation || filters.actor ? 'audit.noMatch' : 'audit.none')}
            more={audit}
          />
        )}
      </Loaded>
    </Page>
  );
}

function Filters({ filters }: { filters: AuditFilters }) {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const apply = (change: AuditFilters) => void navigate({ to: '/audit', search: { ...filters, ...change }, replace: true });
  const operations = useMemo(
    () => OPERATIONS.map((id) => [id, t(`audit.did.${id}`)] as const).sort(([, a], [, b]) => a.localeCompare(b, i18n.language)),
    [i18n.language],
  );
  return (
    <form className="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <label>
        {t('audit.what')}
        <select value={filters.operation ?? ''} onChange={({ target }) => apply({ operation: target.value || undefined })}>
          <option value="">{t('all')}</option>
          {operations.map(([id, did]) => (
            <option key={id} value={id}>
              {did}
            </option>
          ))}
        </select>
      </label>
      {filters.actor && (
        <button type="button" className="button" data-action="all-actors" onClick={() => apply({ actor: undefined })}>
          {t('audit.only', { actor: filters.actor })} ✕
        </button>
      )}
    </form>
  );
}

function Sentence({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation();
  const { actor, operation, target, fields, status, requestId } = entry;
  const { roomId } = target;
  const isRefused = status !== null && status >= 400;
  return (
    <span className="two-lines">
      <span className="wrap">
        <Link to="/audit" search={{ actor: actor.id }} title={t('audit.onlyThis')}>
          {actor.type === 'participant' || actor.type === 'dashboard'
            ? actor.id
            : t(`audit.actors.${actor.type}`, { defaultValue: actor.type })}
        </Link>{' '}
        {t(`audit.did.${operation}`, { defaultValue: operation })}
        {roomId && (
          <>
            {' · '}
            <Link to="/rooms/$roomId" params={{ roomId }}>
              <RoomTitle roomId={roomId} />
            </Link>
          </>
        )}{' '}
        {isRefused && <Badge kind="failed">{t('audit.refused')}</Badge>}
      </span>
      <EndSession of={entry} />
      <details className="small quiet">
        <summary>{t('audit.raw')}</summary>
        <code className="wrap">{JSON.stringify({ operation, actor, target, fields, status, requestId })}</code>
      </details>
    </span>
  );
}

/** Its id until it is known, and where it cannot be read. */
function RoomTitle({ roomId }: { roomId: string }) {
  const room = useQuery({ ...queries.room(roomId), staleTime: Infinity, retry: false });
  return room.data?.title ?? roomId;
}
