import { Dialog } from '@classroom/page/Dialog';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.js';
import { queries, type Retention, type RetentionEffect } from '../api/queries.js';
import { numberToType, shorterIn, type Shorter } from './shorter-retention.js';
import { useFormat, useTranslation } from '../i18n/index.js';
import { Loaded, Page, Panel } from '../parts/Page.js';
import { SettingsForm, useSettings } from '../parts/SettingsForm.js';

interface ConfirmErasureProps {
  shorter: readonly Shorter<keyof Retention>[];
  onConfirm(): void;
  onClose(): void;
}

/** Says what a shorter retention erases, and asks. */
export function ConfirmErasure({ shorter, onConfirm, onClose }: ConfirmErasureProps) {
  const { t } = useTranslation();
  const effects = useQuery({
    queryKey: ['retention', 'effect', shorter],
    queryFn: () => Promise.all(shorter.map(({ dataClass, kept }) => api.getDashboardRetentionEffect({ dataClass, kept }))),
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <Dialog title={t('retention.confirm.title')} onClose={onClose}>
      <Loaded of={effects}>{(list) => <Effects shorter={shorter} effects={list} onConfirm={onConfirm} onClose={onClose} />}</Loaded>
      {!effects.data && (
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose} autoFocus>
            {t('cancel')}
          </button>
        </div>
      )}
    </Dialog>
  );
}

function Effects({ shorter, effects, onConfirm, onClose }: ConfirmErasureProps & { effects: readonly RetentionEffect[] }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const wanted = numberToType(effects);
  const isConfirmed = wanted === undefined || typed.trim() === String(wanted);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onClose();
        onConfirm();
      }}
    >
      <ul className="effects">
        {effects.map((effect, index) => (
          <Effect key={effect.dataClass} effect={effect} times={shorter[index]} />
        ))}
      </ul>
      <p className="quiet">{t('retention.confirm.when')}</p>
      {wanted !== undefined && (
        <label className="field">
          {t('retention.confirm.type', { number: wanted })}
          <input
            name="confirmed"
            type="text"
            inputMode="numeric"
            autoComplete="off"
            autoFocus
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
          <span className="quiet small">{t('retention.confirm.most')}</span>
        </label>
      )}
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose} autoFocus={wanted === undefined}>
          {t('cancel')}
        </button>
        <button type="submit" className="button danger" data-action="confirm-retention" disabled={!isConfirmed}>
          {t('retention.confirm.do')}
        </button>
      </div>
    </form>
  );
}

function Effect({ effect, times }: { effect: RetentionEffect; times: Shorter<keyof Retention> | undefined }) {
  const { t } = useTranslation();
  const { number, near } = useFormat();
  const { dataClass, erased, stored, oldestAt, before } = effect;
  const unit = t(dataClass === 'recordings' ? 'retention.hours' : 'retention.days');
  const counted = dataClass === 'recordings' || dataClass === 'aiDialogues' ? dataClass : 'presence';
  return (
    <li>
      <strong>{t(`retention.classes.${dataClass}`, { defaultValue: dataClass })}</strong>
      <span>{times && t('retention.confirm.times', { from: number(times.before), to: number(times.kept), unit })}</span>
      <span>
        {erased === 0 || oldestAt === null
          ? t('retention.confirm.nothing')
          : t(`retention.confirm.erases.${counted}`, {
              erased: number(erased),
              stored: number(stored),
              from: near(oldestAt),
              to: near(before),
            })}
      </span>
    </li>
  );
}

export function RetentionPage() {
  const { t } = useTranslation();
  const retention = useQuery(queries.retention);
  const profile = useQuery(queries.profile);
  return (
    <Page title={t('nav.retention')}>
      <p className="quiet">{t('retention.note')}</p>
      <Loaded of={profile}>
        {({ role }) => <Loaded of={retention}>{(data) => <Form saved={data} isOwner={role === 'OWNER'} />}</Loaded>}
      </Loaded>
    </Page>
  );
}

function Form({ saved, isOwner }: { saved: Retention; isOwner: boolean }) {
  const { t } = useTranslation();
  const settings = useSettings<Retention>(queries.retention.queryKey, (changes) => api.updateDashboardRetention(changes));
  const { changed, set, save } = settings;
  const [isAsking, setAsking] = useState(false);
  const shorter = shorterIn(saved, changed);
  return (
    <Panel title={t('retention.title')} note={isOwner ? t('retention.warning') : t('ownerOnly')}>
      <SettingsForm settings={settings} isOwner={isOwner} hasDetails confirm={shorter.length > 0 ? () => setAsking(true) : undefined}>
        {(Object.keys(saved) as (keyof Retention)[]).map((name) => (
          <label key={name} className="field">
            {t(`retention.classes.${name}`, { defaultValue: name })}
            <span className="number-field">
              <input
                type="number"
                min={1}
                required
                disabled={!isOwner}
                value={Number.isNaN(changed[name]) ? '' : (changed[name] ?? saved[name])}
                onChange={({ target }) => set({ [name]: target.valueAsNumber })}
              />
              {t(name === 'recordings' ? 'retention.hours' : 'retention.days')}
            </span>
          </label>
        ))}
      </SettingsForm>
      {isAsking && <ConfirmErasure shorter={shorter} onConfirm={() => save.mutate()} onClose={() => setAsking(false)} />}
    </Panel>
  );
}
