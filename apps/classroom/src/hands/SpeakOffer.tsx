import { useTranslation } from '../i18n/index.js';
import { useApp, usePeople, useClassroom } from '../app/context.js';
import { Offer } from '../devices/Offer.js';

/** Shown to a student who was allowed to speak. */
export function SpeakOffer() {
  const { t } = useTranslation();
  const { app } = useClassroom();
  const offeredBy = useApp((state) => state.offeredBy);
  const isOn = useApp((state) => state.devices.microphone.isOn);
  const name = usePeople(({ people }) => people.find(({ uid }) => uid === offeredBy)?.name) ?? offeredBy;
  if (offeredBy === undefined || isOn) return null;
  const close = () => app.set({ offeredBy: undefined });
  return <Offer device="microphone" title={t('offer.title', { name })} text={t('offer.text')} onClose={close} />;
}
