import { useApp, useClassroom, usePart } from '../app/context.js';
import type { Feature } from '../app/feature.js';
import { Offer } from '../devices/feature.js';
import { devicesOf, OwnDevices } from '../devices/own-devices.js';
import { useTranslation } from '../i18n/index.js';
import { HostEvents } from './host-events.js';

/** Shown when the host page asks to turn on a device that was not on during this stay. */
function OverStage() {
  const { t } = useTranslation();
  const { app } = useClassroom();
  const devices = usePart(OwnDevices);
  const request = useApp((state) => state.hostRequest);
  const isOn = useApp((state) => request !== undefined && devicesOf(state)[request.device].isOn);
  if (!request || isOn || !devices.mayUse(request.device)) return null;
  const { device, host } = request;
  const close = () => app.set({ hostRequest: undefined });
  return <Offer device={device} title={t(`hostRequest.${device}`, { host })} text={t('hostRequest.text')} onClose={close} />;
}

/** The page around a framed class: its commands, and what it is informed of. */
export const embed: Feature = { Part: HostEvents, OverStage };
