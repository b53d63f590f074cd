import { Dialog } from '@classroom/page/Dialog';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.js';
import type { Retention, RetentionEffect } from '../api/types.js';
import { numberToType, type Shorter } from '../format/shorter-retention.js';
import { useTranslation } from '../i18n/index.js';
import { Loaded } from '../parts/Loaded.js';
import { useFormat } from '../parts/use-format.js';

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
