import { Mic, Video } from 'lucide-react';
import { useTranslation } from '../i18n/index.js';
import { useApp, useClassroom } from '../app/context.js';
import { Offer } from './Offer.js';

/** Shown when the host page asks to turn on a device that was not on during this stay. */
export default function HostRequest() {
  const { t } = useTranslation();
  const classroom = useClassroom();
  const request = useApp((state) => state.hostRequest);
  const isOn = useApp((state) => request !== undefined && state.devices[request.device].isOn);
  if (!request || isOn || !classroom.mayUse(request.device)) return null;
  const { device, host } = request;
  const close = () => classroom.app.set({ hostRequest: undefined });
  const accept = () => {
    close();
    void classroom.devices.set(device, true);
  };
  const Icon = device === 'camera' ? Video : Mic;
  const title = t(`hostRequest.${device}`, { host });
  return (
    <Offer
      label={title}
      title={title}
      text={t('hostRequest.text')}
      later={t('offer.later')}
      accept={
        <>
          <Icon aria-hidden />
          {t(`controls.${device}.off`)}
        </>
      }
      action="host-request"
      onLater={close}
      onAccept={accept}
    />
  );
}
