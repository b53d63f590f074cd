import { ApiError } from '@classroom/page/api-error';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/index.js';

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
