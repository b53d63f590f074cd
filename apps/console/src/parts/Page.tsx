import { useEffect, useRef, type ReactNode } from 'react';
import { ApiError } from '@classroom/page/api-error';
import type { UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from '../i18n/index.js';

interface PageProps {
  title: ReactNode;
  /** The title of the browser's tab. Default: `title`. */
  tabTitle?: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** One page of the console. Its heading gets the focus when the page opens, so that a screen reader reads it and Tab continues there. */
export function Page({ title, tabTitle, actions, children }: PageProps) {
  const { t } = useTranslation();
  const heading = useRef<HTMLHeadingElement>(null);
  const name = tabTitle ?? (typeof title === 'string' ? title : '');
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    document.title = name ? `${name} · ${t('console')}` : t('console');
  }, [name, t]);
  return (
    <>
      <header className="page-head">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {actions && <div className="page-actions">{actions}</div>}
      </header>
      {children}
    </>
  );
}

/** A part of a page with a heading. */
export function Panel({ title, note, actions, children }: { title: string; note?: ReactNode; actions?: ReactNode; children: ReactNode }) {
  return (
    <section className="panel" aria-label={title}>
      <div className="panel-head">
        <h2>{title}</h2>
        {actions}
      </div>
      {note && <p className="quiet">{note}</p>}
      {children}
    </section>
  );
}

/** A number with its name. */
export function Figure({ name, value, note }: { name: string; value: ReactNode; note?: ReactNode }) {
  return (
    <div className="figure">
      <dt>{name}</dt>
      <dd>
        <span className="figure-value">{value}</span>
        {note && <span className="figure-note quiet">{note}</span>}
      </dd>
    </div>
  );
}

/** Names and values, one a line. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt className="quiet">{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export const Badge = ({ kind, children }: { kind: string; children: ReactNode }) => (
  <span className="badge" data-kind={kind}>
    {children}
  </span>
);

/** A secret that no later answer contains. */
export const ShownOnce = ({ text, value }: { text: string; value: string }) => (
  <p role="status" className="secret">
    {text} <code>{value}</code>
  </p>
);

type Query<T> = Pick<UseQueryResult<T>, 'data' | 'error' | 'isPending' | 'refetch'>;

interface LoadedProps<T> {
  of: Query<T>;
  /** Shown while it loads, where something is below that would otherwise move. */
  placeholder?: ReactNode;
  children: (data: T) => ReactNode;
}

/** Shows what a query has read; until then that it loads, or why it failed. */
export function Loaded<T>({ of, placeholder, children }: LoadedProps<T>) {
  const { t } = useTranslation();
  // What was read before stays visible while the service is unreachable.
  if (of.data !== undefined) return children(of.data);
  if (of.isPending && placeholder) return placeholder;
  if (of.isPending)
    return (
      <p className="state quiet" role="status">
        {t('loading')}
      </p>
    );
  return <Failure error={of.error} retry={() => void of.refetch()} />;
}

interface FailureProps {
  error: unknown;
  retry?: () => void;
  /** Shows what the API says about each field, which is in English. */
  hasDetails?: boolean;
}

export function Failure({ error, retry, hasDetails = false }: FailureProps) {
  const { t } = useTranslation();
  const code = error instanceof ApiError ? error.code : 'INTERNAL_ERROR';
  const text = t(`errors.${code}`, { defaultValue: t('errors.other', { code }) });
  return (
    <div className="state" role="alert">
      <p>{text}</p>
      {hasDetails &&
        error instanceof ApiError &&
        error.details.map(({ path, message }) => (
          <p key={path} className="field-problem" lang="en">
            {path}: {message}
          </p>
        ))}
      {retry && error instanceof ApiError && error.isRetryable && (
        <button type="button" className="button" data-action="retry" onClick={retry}>
          {t('retry')}
        </button>
      )}
    </div>
  );
}

export const Empty = ({ children }: { children: ReactNode }) => <p className="state quiet">{children}</p>;

/** What will be here, and where the first step is described. */
export function FirstStep({ text }: { text: string }) {
  const { t } = useTranslation();
  return (
    <>
      {text}{' '}
      <a href="/docs/" target="_blank" rel="noreferrer">
        {t('apiReference')}
      </a>
    </>
  );
}
