import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Confirm } from '@classroom/page/Dialog';
import { api } from '../api/client.js';
import { useFormat, useTranslation } from '../i18n/index.js';
import { Badge, Empty, Failure, Loaded, Page, Panel, ShownOnce } from '../parts/Page.js';
import { queries, queryClient } from '../api/queries.js';
import { BalanceFigures, StatementList } from '../parts/Balance.js';
import { OrganizationForm } from './OrganizationForm.js';
import { KeysPanel } from '../parts/KeysPanel.js';

const ROLES = ['MEMBER', 'OWNER'] as const;
const HOUR_S = 3_600;

/** Makes a link to the console of an organization. It works for an hour, for everyone who has it. */
export function DashboardLink({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation();
  const { moment } = useFormat();
  const [role, setRole] = useState<(typeof ROLES)[number]>('MEMBER');
  const [isCopied, setCopied] = useState(false);
  const make = useMutation({
    mutationFn: () => api.issueDashboardTokenForOrganization({ organizationId, subject: 'operator', role, ttlSeconds: HOUR_S }),
    onMutate: () => setCopied(false),
  });
  const link = make.data && `${publicUrl()}/console#token=${make.data.token}`;
  return (
    <Panel title={t('link.title')} note={t('link.note')}>
      <div className="filters">
        <label>
          {t('link.role')}
          <select value={role} onChange={({ target }) => setRole(ROLES.find((it) => it === target.value) ?? 'MEMBER')}>
            {ROLES.map((it) => (
              <option key={it} value={it}>
                {t(`link.roles.${it}`)}
              </option>
            ))}
          </select>
        </label>
        <button
          type="button"
          className="button primary"
          data-action="dashboard-link"
          disabled={make.isPending}
          onClick={() => make.mutate()}
        >
          {t('link.make')}
        </button>
        {link && (
          <>
            <a className="button" href={link} target="_blank" rel="noreferrer" data-action="open-dashboard">
              {t('link.open')}
            </a>
            <button type="button" className="button" onClick={() => void navigator.clipboard.writeText(link).then(() => setCopied(true))}>
              {t(isCopied ? 'link.copied' : 'link.copy')}
            </button>
          </>
        )}
      </div>
      {make.data && (
        <p role="status" className="quiet">
          {t('link.until', { time: moment(make.data.expiresAt) })}
        </p>
      )}
      {make.error && <Failure error={make.error} />}
    </Panel>
  );
}

/** The address at which staff reach the console: operators may use another port of the same gateway. */
function publicUrl(): string {
  const meta = document.querySelector<HTMLMetaElement>('meta[name=console]');
  const { publicUrl } = JSON.parse(meta?.content ?? '{}') as { publicUrl?: string };
  return (publicUrl ?? location.origin).replace(/\/$/, '');
}

const route = getRouteApi('/operator/organizations/$organizationId');

export function OrganizationPage() {
  const { t } = useTranslation();
  const { organizationId } = route.useParams();
  const organization = useQuery(queries.organization(organizationId));
  return (
    <Page title={organization.data?.name ?? organizationId} actions={<Link to="/operator">{t('operator.back')}</Link>}>
      <Loaded of={organization}>
        {(data) => (
          <>
            {data.closedAt && <Badge kind="failed">{t('operator.closed')}</Badge>}
            <OrganizationForm organization={data} />
            <DashboardLink organizationId={organizationId} />
            {data.billing && <Balance organizationId={organizationId} isPostpaid={data.billing.type === 'POSTPAID'} />}
            <ApiKeys organizationId={organizationId} />
            <Credentials organizationId={organizationId} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Balance({ organizationId, isPostpaid }: { organizationId: string; isPostpaid: boolean }) {
  const { t } = useTranslation();
  const { number, moment } = useFormat();
  const balance = useQuery(queries.organizationBalance(organizationId));
  const ledger = useQuery(queries.organizationLedger(organizationId));
  return (
    <Panel title={t('overview.balance')}>
      <Loaded of={balance}>{(data) => <BalanceFigures balance={data} />}</Loaded>
      <TopUp organizationId={organizationId} />
      <h3>{t('operator.latest')}</h3>
      <Loaded of={ledger}>
        {(entries) => (
          <ul className="lines">
            {entries.map(({ entryId, kind, credits, recordedAt, reference, roomId, roomTitle }) => (
              <li key={entryId}>
                <Link to="/operator/organizations/$organizationId/ledger/$entryId" params={{ organizationId, entryId }}>
                  {t(`ledger.kinds.${kind}`)}
                </Link>
                <strong>{t('creditsOf', { count: credits, credits: number(credits) })}</strong>
                <span className="quiet">{moment(recordedAt)}</span>
                <span className="quiet">{roomTitle ?? reference ?? roomId ?? ''}</span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {isPostpaid && <Statements organizationId={organizationId} />}
    </Panel>
  );
}

/** The reference is the key against counting twice: the same one is posted once, however often it is sent. */
function TopUp({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const form = useRef<HTMLFormElement>(null);
  const post = useMutation({
    mutationFn: (body: { amount: number; reference: string; note?: string }) => api.postCredits({ organizationId, ...body }),
    onSuccess: async () => {
      form.current?.reset();
      await queryClient.invalidateQueries({ queryKey: ['organization', organizationId] });
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const note = String(data.get('note'));
    post.mutate({ amount: Number(data.get('amount')), reference: String(data.get('reference')), ...(note ? { note } : {}) });
  };
  return (
    <form ref={form} className="filters" aria-label={t('operator.topUp')} onSubmit={submit}>
      <label>
        {t('operator.amount')}
        <input name="amount" type="number" step={1} required />
      </label>
      <label>
        {t('operator.reference')}
        <input name="reference" type="text" required maxLength={128} />
      </label>
      <label>
        {t('operator.note')}
        <input name="note" type="text" maxLength={1000} />
      </label>
      <button type="submit" className="button primary" data-action="top-up" disabled={post.isPending}>
        {t('operator.topUp')}
      </button>
      <p role="status" className="wide">
        {post.data &&
          t(post.data.replayed ? 'operator.postedBefore' : 'operator.posted', {
            count: post.data.entry.credits,
            credits: number(post.data.entry.credits),
          })}
      </p>
      {post.error && <Failure error={post.error} />}
    </form>
  );
}

function Credentials({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation();
  const { moment } = useFormat();
  const list = useQuery(queries.organizationCredentials(organizationId));
  const [revoking, setRevoking] = useState<string>();
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['organization', organizationId, 'credentials'] });
  const create = useMutation({ mutationFn: () => api.createCredentialForOrganization({ organizationId }), onSuccess: refresh });
  const revoke = useMutation({
    mutationFn: (credentialId: string) => api.revokeCredentialForOrganization({ organizationId, credentialId }),
    onSuccess: refresh,
  });
  return (
    <Panel title={t('operator.credentials')} note={t('operator.credentialsNote')}>
      <Loaded of={list}>
        {({ credentials }) =>
          credentials.length === 0 ? (
            <Empty>{t('operator.noCredentials')}</Empty>
          ) : (
            <ul className="lines">
              {credentials.map(({ credentialId, createdAt, lastUsedAt }) => (
                <li key={credentialId}>
                  <code>{credentialId}</code>
                  <span className="quiet">{t('operator.createdAt', { time: moment(createdAt) })}</span>
                  <span className="quiet">{lastUsedAt ? t('operator.usedAt', { time: moment(lastUsedAt) }) : t('operator.neverUsed')}</span>
                  <button type="button" className="button" onClick={() => setRevoking(credentialId)}>
                    {t('operator.revoke')}
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <button type="button" className="button" data-action="new-credential" disabled={create.isPending} onClick={() => create.mutate()}>
        {t('operator.newCredential')}
      </button>
      {create.data && <ShownOnce text={t('operator.shownOnce')} value={create.data.value} />}
      {(create.error ?? revoke.error) && <Failure error={create.error ?? revoke.error} />}
      {revoking && (
        <Confirm
          title={t('operator.revokeTitle')}
          text={t('operator.revokeText', { id: revoking })}
          confirmLabel={t('operator.revoke')}
          cancelLabel={t('cancel')}
          action="confirm-revoke"
          onConfirm={() => revoke.mutate(revoking)}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </Panel>
  );
}

function ApiKeys({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation();
  const query = queries.organizationApiKeys(organizationId);
  return (
    <KeysPanel
      keys={useQuery(query)}
      refresh={() => queryClient.invalidateQueries(query)}
      create={(key) => api.createApiKeyForOrganization({ organizationId, ...key })}
      revoke={(keyId) => api.revokeApiKeyForOrganization({ organizationId, keyId })}
      note={t('apiKeys.note')}
      none={t('apiKeys.none')}
    />
  );
}

/** The closed cycles of a postpaid organization. */
function Statements({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation();
  const statements = useQuery(queries.organizationStatements(organizationId));
  const path = `/v1/admin/organizations/${encodeURIComponent(organizationId)}/statements`;
  return (
    <>
      <h3>{t('statements.title')}</h3>
      <Loaded of={statements}>
        {(list) => (list.length === 0 ? <Empty>{t('statements.none')}</Empty> : <StatementList statements={list} path={path} />)}
      </Loaded>
    </>
  );
}
