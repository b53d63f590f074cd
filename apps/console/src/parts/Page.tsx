import { useEffect, useRef, type ReactNode } from 'react';
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
