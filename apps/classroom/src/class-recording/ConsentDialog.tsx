import './consent.css';
import { addTexts, useTranslation } from '../i18n/index.js';
import de from './consent.de.json';
import en from './consent.en.json';
import { useState } from 'react';
import { useApp, useClassroom, usePart } from '../app/context.js';
import { Consent } from './consent.js';
import { Dialog } from '@classroom/page/Dialog';

addTexts('consent', { en, de });

/** Asks for consent to recordings: what the school says, what follows from a refusal, and two equal answers. */
export function ConsentDialog() {
  const { t } = useTranslation('consent');
  const classroom = useClassroom();
  const consent = usePart(Consent);
  const question = useApp((app) => app.consent);
  const isBefore = useApp((app) => app.screen === 'consent');
  const [status, setStatus] = useState<'idle' | 'sending' | 'failed'>('idle');
  if (!question) return null;
  const answer = async (granted: boolean) => {
    setStatus('sending');
    await consent.answer(granted).catch(() => setStatus('failed'));
  };
  const close = () => {
    // The browser also reports the end of a dialog whose question is answered.
    if (classroom.app.get().consent === undefined) return;
    // Before the class, closing the question means not to join.
    if (isBefore) classroom.leave();
    else consent.close();
  };
  const { text, state, ask, without } = question;
  return (
    <Dialog title={t('title')} onClose={close} startsAtTitle>
      {/* Long texts scroll, also by keyboard. */}
      <div className="consent-text" tabIndex={0} role="region" aria-label={t('text')}>
        {text}
      </div>
      <p className="consent-note">{t(`without.${without}.${ask}`)}</p>
      <p className="quiet">{t(state === 'REQUIRED' ? 'change' : `state.${state}`)}</p>
      {status === 'failed' && (
        <p className="consent-failed" role="alert">
          {t('failed')}
        </p>
      )}
      <div className="consent-answers">
        <button
          type="button"
          className="button"
          data-action="consent-no"
          disabled={status === 'sending'}
          onClick={() => void answer(false)}
        >
          {t('no')}
        </button>
        <button
          type="button"
          className="button"
          data-action="consent-yes"
          disabled={status === 'sending'}
          onClick={() => void answer(true)}
        >
          {t('yes')}
        </button>
      </div>
      {!isBefore && (
        <button type="button" className="text-button consent-later" data-action="consent-later" onClick={close}>
          {t(state === 'REQUIRED' ? 'later' : 'keep')}
        </button>
      )}
    </Dialog>
  );
}
