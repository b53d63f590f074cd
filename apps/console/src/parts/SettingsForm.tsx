import { useMutation, type UseMutationResult } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { queryClient } from '../api/queries.js';
import { useTranslation } from '../i18n/index.js';
import { Failure } from './Page.js';

interface Settings<T> {
  /** What the user has changed and not saved. */
  changed: Partial<T>;
  set(change: Partial<T>): void;
  save: UseMutationResult<T, Error, void>;
}

/** The state of a form for settings. @param queryKey under which what is saved is kept */
export function useSettings<T>(queryKey: readonly unknown[], update: (changed: Partial<T>) => Promise<T>): Settings<T> {
  const [changed, setChanged] = useState<Partial<T>>({});
  const save = useMutation({
    mutationFn: () => update(changed),
    onSuccess: (data) => {
      queryClient.setQueryData(queryKey, data);
      setChanged({});
    },
  });
  const set = (change: Partial<T>) => {
    save.reset();
    setChanged({ ...changed, ...change });
  };
  return { changed, set, save };
}

interface SettingsFormProps<T> {
  settings: Settings<T>;
  isOwner: boolean;
  /** Asks before it saves. Default: saves at once. */
  confirm?: (() => void) | undefined;
  /** Shows what the API says about each field. */
  hasDetails?: boolean;
  children: ReactNode;
}

/** Fields of settings with a button for owners, and what became of saving. */
export function SettingsForm<T>({ settings, isOwner, confirm, hasDetails = false, children }: SettingsFormProps<T>) {
  const { t } = useTranslation();
  const { changed, save } = settings;
  const isUnchanged = Object.keys(changed).length === 0;
  return (
    <form
      className="fields"
      onSubmit={(event) => {
        event.preventDefault();
        if (confirm) confirm();
        else save.mutate();
      }}
    >
      {children}
      {isOwner && (
        <button type="submit" className="button primary" data-action="save" disabled={isUnchanged || save.isPending}>
          {t('save')}
        </button>
      )}
      <p role="status">{save.isSuccess && isUnchanged ? t('saved') : ''}</p>
      {save.error && <Failure error={save.error} hasDetails={hasDetails} />}
    </form>
  );
}

interface ProblemProps {
  id?: string;
  text: string | undefined;
  /** False for what the API says, which is in English. */
  isTranslated?: boolean;
}

/** What is wrong with a value. */
export function Problem({ id, text, isTranslated = false }: ProblemProps) {
  if (!text) return undefined;
  return (
    <p id={id} className="field-problem wide" lang={isTranslated ? undefined : 'en'} role="alert">
      {text}
    </p>
  );
}
