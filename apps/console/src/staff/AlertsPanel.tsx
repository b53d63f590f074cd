import { ApiError } from '@classroom/page/api-error';
import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useId, useRef } from 'react';
import { api } from '../api/client.js';
import { queries, type CreditAlerts } from '../api/queries.js';
import { useTranslation } from '../i18n/index.js';
import { Loaded, Panel } from '../parts/Page.js';
import { Problem, SettingsForm, useSettings } from '../parts/SettingsForm.js';

/** At which credits the school's platform receives an event: credits left of a prepaid plan, credits used of a postpaid one. */
export function AlertsPanel() {
  const { t } = useTranslation();
  const profile = useQuery(queries.profile);
  const alerts = useQuery(queries.alerts);
  return (
    <Panel title={t('alerts.title')} note={t('alerts.note')}>
      <Loaded of={profile}>
        {({ role, billing }) => (
          <Loaded of={alerts}>
            {(saved) => <Form saved={saved} kind={billing?.type === 'POSTPAID' ? 'consumed' : 'remaining'} isOwner={role === 'OWNER'} />}
          </Loaded>
        )}
      </Loaded>
    </Panel>
  );
}

function Form({ saved, kind, isOwner }: { saved: CreditAlerts; kind: keyof CreditAlerts; isOwner: boolean }) {
  const { t } = useTranslation();
  const addButton = useRef<HTMLButtonElement>(null);
  const settings = useSettings<CreditAlerts>(queries.alerts.queryKey, (changes) => api.setCreditAlerts({ ...saved, ...changes }));
  const { changed, set, save } = settings;
  const thresholds = changed[kind] ?? saved[kind];
  const problemOf = (path: string) => (save.error instanceof ApiError ? save.error.detail(path) : undefined);
  const remove = (index: number) => {
    set({ [kind]: thresholds.toSpliced(index, 1) });
    addButton.current?.focus();
  };
  return (
    <SettingsForm settings={settings} isOwner={isOwner}>
      {!isOwner && <p className="quiet">{t('ownerOnly')}</p>}
      <fieldset className="field">
        <legend>{t(`alerts.${kind}`)}</legend>
        {thresholds.length === 0 && <p className="quiet">{t('alerts.none')}</p>}
        <ul className="lines">
          {thresholds.map((value, index) => (
            // A threshold has no identity but its place.
            <Threshold
              key={index}
              number={index + 1}
              value={value}
              isOwner={isOwner}
              problem={problemOf(`${kind}.${index}`)}
              change={(to) => set({ [kind]: thresholds.with(index, to) })}
              remove={() => remove(index)}
            />
          ))}
        </ul>
        <Problem text={problemOf(kind)} />
      </fieldset>
      {isOwner && (
        <button
          ref={addButton}
          type="button"
          className="button"
          data-action="add-threshold"
          onClick={() => set({ [kind]: [...thresholds, Number.NaN] })}
        >
          {t('alerts.add')}
        </button>
      )}
    </SettingsForm>
  );
}

interface ThresholdProps {
  /** Its place in the list, from 1. */
  number: number;
  /** NaN while it is empty. */
  value: number;
  isOwner: boolean;
  problem: string | undefined;
  change(to: number): void;
  remove(): void;
}

/** Which values are valid is for the API to say. */
function Threshold({ number, value, isOwner, problem, change, remove }: ThresholdProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <li>
      <input
        type="number"
        step="any"
        required
        disabled={!isOwner}
        // One that was just added.
        autoFocus={Number.isNaN(value)}
        aria-label={t('alerts.threshold', { number })}
        aria-invalid={problem !== undefined}
        aria-describedby={problem && id}
        value={Number.isNaN(value) ? '' : value}
        onChange={({ target }) => change(target.valueAsNumber)}
      />
      {isOwner && (
        <button
          type="button"
          className="icon-button"
          data-action="remove-threshold"
          title={t('alerts.remove', { number })}
          onClick={remove}
        >
          <X aria-label={t('alerts.remove', { number })} />
        </button>
      )}
      <Problem id={id} text={problem} />
    </li>
  );
}
