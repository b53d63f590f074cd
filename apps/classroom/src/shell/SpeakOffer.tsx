import { Mic } from 'lucide-react';
import { useTranslation } from '../i18n/index.js';
import { useApp, usePeople, useClassroom } from '../app/context.js';

/** Shown to a student who was allowed to speak. Only the button turns on the microphone. */
export function SpeakOffer() {
  const { t } = useTranslation();
  const { app, devices } = useClassroom();
  const offeredBy = useApp((state) => state.offeredBy);
  const isOn = useApp((state) => state.devices.microphone.isOn);
  const name = usePeople(({ people }) => people.find(({ uid }) => uid === offeredBy)?.name) ?? offeredBy;
  if (offeredBy === undefined || isOn) return null;
  const close = () => app.set({ offeredBy: undefined });
  const accept = () => {
    close();
    void devices.set('microphone', true);
  };
  return (
    <section className="offer" aria-label={t('offer.label')}>
      <p>
        <strong>{t('offer.title', { name })}</strong>
        <br />
        <span className="quiet">{t('offer.text')}</span>
      </p>
      <div className="offer-actions">
        <button type="button" className="button" onClick={close}>
          {t('offer.later')}
        </button>
        <button type="button" className="button primary" data-action="speak" onClick={accept}>
          <Mic aria-hidden />
          {t('offer.accept')}
        </button>
      </div>
    </section>
  );
}
