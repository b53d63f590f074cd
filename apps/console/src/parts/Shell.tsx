import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import {
  Clock,
  Film,
  Gauge,
  History,
  LogOut,
  Palette,
  Presentation,
  ReceiptText,
  TrendingUp,
  Webhook,
  type LucideIcon,
} from 'lucide-react';
import { useEffect, useRef, useSyncExternalStore, type ReactNode } from 'react';
import { api, credentials } from '../api/client.js';
import { queries, queryClient } from '../api/queries.js';
import { choose, i18next, LANGUAGE_NAMES, useFormat, useTranslation } from '../i18n/index.js';
import { Page } from './Page.js';

const PAGES = [
  { to: '/', name: 'overview', Icon: Gauge },
  { to: '/rooms', name: 'rooms', Icon: Presentation },
  { to: '/videos', name: 'videos', Icon: Film },
  { to: '/usage', name: 'usage', Icon: TrendingUp },
  { to: '/ledger', name: 'ledger', Icon: ReceiptText },
  { to: '/branding', name: 'branding', Icon: Palette },
  { to: '/retention', name: 'retention', Icon: Clock },
  { to: '/integration', name: 'integration', Icon: Webhook },
  { to: '/audit', name: 'audit', Icon: History },
] as const satisfies readonly { to: string; name: string; Icon: LucideIcon }[];

/** The frame of all pages: skip link, who is signed in, language. */
export function Frame({ title, nav, signOut, children }: { title: ReactNode; nav?: ReactNode; signOut?: () => void; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <div className="frame">
      <a className="skip" href="#main" onClick={skipToMain}>
        {t('skip')}
      </a>
      <header className="top">
        <div className="brand">{title}</div>
        {signOut && (
          <button type="button" className="button" data-action="sign-out" onClick={signOut}>
            <LogOut aria-hidden />
            {t('signOut')}
          </button>
        )}
      </header>
      {nav}
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <Foot />
    </div>
  );
}

/** The language, and the time zone of the times on the page. */
function Foot() {
  const { t } = useTranslation();
  const { zone } = useFormat();
  return (
    <footer className="foot quiet small">
      <span>{t('times', { zone: zone() })}</span>
      <label className="language">
        {t('language')}
        <select value={i18next.language} data-action="language" onChange={({ target }) => void choose(target.value)}>
          {Object.entries(LANGUAGE_NAMES).map(([language, name]) => (
            <option key={language} value={language} lang={language}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </footer>
  );
}

/** A fragment in the address would be taken for a page's own. */
function skipToMain(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('#main')?.focus();
}

/** The links to pages. On a phone, they are a row that scrolls. */
export function Nav({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const links = useRef<HTMLElement>(null);
  useEffect(() => {
    // Chromium answers with a promise, which React would take for what ends the effect.
    links.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [pathname]);
  return (
    <nav ref={links} className="nav" aria-label={t('pages')}>
      {children}
    </nav>
  );
}

/** The pages of an organization's staff; without a token, how to get one. @param children in place of the page of the address */
export function StaffShell({ children }: { children?: ReactNode }) {
  const { t } = useTranslation();
  const token = useSyncExternalStore(credentials.subscribe, credentials.token);
  if (token === null)
    return (
      <Frame title={t('console')}>
        <SignIn />
      </Frame>
    );
  return <SignedIn>{children ?? <Outlet />}</SignedIn>;
}

function SignedIn({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const { data: profile } = useQuery(queries.profile);
  const signOut = () => {
    // Also at the service: a link with the token, or a copy of it, works no longer. If it cannot be reached, the token works until it expires.
    const sessionId = credentials.sessionId();
    if (sessionId !== undefined) void api.endDashboardSession({ sessionId }).catch(() => undefined);
    credentials.forgetToken();
    queryClient.clear();
  };
  const nav = (
    <Nav>
      {PAGES.map(({ to, name, Icon }) => (
        <Link key={to} to={to} className="nav-link" data-page={name} activeOptions={{ exact: to === '/' }}>
          <Icon aria-hidden />
          {t(`nav.${name}`)}
        </Link>
      ))}
    </Nav>
  );
  const title = (
    <>
      <strong>{profile?.name ?? t('console')}</strong>
      {profile && <span className="quiet subject">{profile.subject}</span>}
    </>
  );
  return (
    <Frame title={title} nav={nav} signOut={signOut}>
      {children}
    </Frame>
  );
}

function SignIn() {
  const { t } = useTranslation();
  return (
    <div className="gate">
      <div className="card">
        <Page title={t('signIn.title')}>
          <p>{t('signIn.text')}</p>
          <p className="quiet">{t('signIn.expiry')}</p>
          <Link to="/operator" className="button">
            {t('signIn.operator')}
          </Link>
        </Page>
      </div>
    </div>
  );
}
