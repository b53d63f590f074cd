import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import { Building2, MailX, Server } from 'lucide-react';
import { useState, useSyncExternalStore } from 'react';
import { credentials, send } from '../api/client.js';
import { queries, queryClient } from '../api/queries.js';
import { useTranslation } from '../i18n/index.js';
import { Badge, Failure, Page } from '../parts/Page.js';
import { Frame, Nav } from '../parts/Shell.js';

/** The pages of operators; without a key, where to enter one. */
export function OperatorShell() {
  const { t } = useTranslation();
  const key = useSyncExternalStore(credentials.subscribe, credentials.operatorKey);
  if (key === null)
    return (
      <Frame title={t('operator.title')}>
        <KeyForm />
      </Frame>
    );
  return <SignedIn />;
}

function SignedIn() {
  const { t } = useTranslation();
  const health = useQuery(queries.health);
  const signOut = () => {
    credentials.forgetOperatorKey();
    queryClient.clear();
  };
  const title = (
    <>
      <strong>{t('operator.title')}</strong>
      {health.data && <Badge kind={health.data.status}>{t(`health.${health.data.status}`)}</Badge>}
      {health.data?.version && <span className="quiet subject">{health.data.version}</span>}
    </>
  );
  const nav = (
    <Nav>
      <Link to="/operator" className="nav-link" data-page="organizations" activeOptions={{ exact: true }}>
        <Building2 aria-hidden />
        {t('operator.organizations')}
      </Link>
      <Link to="/operator/dead-letters" className="nav-link" data-page="dead-letters">
        <MailX aria-hidden />
        {t('deadLetters.title')}
      </Link>
      <Link to="/operator/system" className="nav-link" data-page="system">
        <Server aria-hidden />
        {t('system.title')}
      </Link>
    </Nav>
  );
  return (
    <Frame title={title} nav={nav} signOut={signOut}>
      <Outlet />
    </Frame>
  );
}

function KeyForm() {
  const { t } = useTranslation();
  const [key, setKey] = useState('');
  const enter = useMutation({
    mutationFn: () => send('GET /v1/admin/organizations?limit=1', undefined, { 'x-dispatch-secret': key }),
    onSuccess: () => credentials.setOperatorKey(key),
  });
  return (
    <div className="gate">
      <div className="card">
        <Page title={t('operator.enter')}>
          <form
            className="fields"
            onSubmit={(event) => {
              event.preventDefault();
              enter.mutate();
            }}
          >
            <label className="field">
              {t('operator.key')}
              <input type="password" autoComplete="off" required value={key} onChange={({ target }) => setKey(target.value)} />
            </label>
            <p className="quiet">{t('operator.keyNote')}</p>
            <button type="submit" className="button primary" data-action="enter" disabled={enter.isPending}>
              {t('operator.open')}
            </button>
            {enter.error && <Failure error={enter.error} />}
          </form>
        </Page>
      </div>
    </div>
  );
}
