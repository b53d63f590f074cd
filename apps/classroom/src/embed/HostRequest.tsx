import { useTranslation } from '../i18n/index.js';
import { useApp, useClassroom } from '../app/context.js';
import { Offer } from '../devices/Offer.js';

/** Shown when the host page asks to turn on a device that was not on during this stay. */
export function HostRequest() {
  const { t } = useTranslation();
  const classroom = useClassroom();
  const request = useApp((state) => state.hostRequest);
  const isOn = useApp((state) => request !== undefined && state.devices[request.device].isOn);
  if (!request || isOn || !classroom.mayUse(request.device)) return null;
  const { device, host } = request;
  const close = () => classroom.app.set({ hostRequest: undefined });
  return <Offer device={device} title={t(`hostRequest.${device}`, { host })} text={t('hostRequest.text')} onClose={close} />;
}
