import { Headphones, Mic, MicOff, MonitorUp, MonitorX, Video, VideoOff, type LucideIcon } from 'lucide-react';
import { useApp, useClassroom, usePart, usePermissions } from '../app/context.js';
import type { Action, Feature } from '../app/feature.js';
import { useTranslation } from '../i18n/index.js';
import type { Device } from '../media/devices.js';
import { MenuItem } from '../ui/Menu.js';
import { DeviceMenu } from './DeviceMenu.js';
import { devicesOf, OwnDevices, ScreenShare } from './own-devices.js';

declare module '../app/app-store.js' {
  interface Dialogs {
    setup: true;
  }
}

function useDeviceActions(): Action[] {
  const { t } = useTranslation();
  const part = usePart(OwnDevices);
  const status = useApp(devicesOf);
  const { camera, microphone } = usePermissions();
  const showsControls = useApp(({ session }) => session?.room.customization.showVideoControls ?? true);
  const action = (id: Device, on: LucideIcon, off: LucideIcon, shortcut: string): Action => {
    const { isOn } = status[id];
    return {
      id,
      icon: isOn ? on : off,
      label: t(`controls.${id}.${isOn ? 'on' : 'off'}`),
      otherLabel: t(`controls.${id}.${isOn ? 'off' : 'on'}`),
      shortcut,
      isOn,
      extra: <DeviceMenu device={id} />,
      onPress: () => void part.set(id, !isOn),
    };
  };
  return [
    ...(showsControls && microphone ? [action('microphone', Mic, MicOff, 'm')] : []),
    ...(showsControls && camera ? [action('camera', Video, VideoOff, 'v')] : []),
  ];
}

function MoreItems() {
  const { t } = useTranslation();
  const { app } = useClassroom();
  const { camera, microphone } = usePermissions();
  return (
    <MenuItem icon={<Headphones aria-hidden />} action="setup" onChoose={() => app.set({ dialog: 'setup' })}>
      {t(camera || microphone ? 'controls.setup' : 'controls.setupSound')}
    </MenuItem>
  );
}

/** Camera, microphone and speaker. */
export const devices: Feature = {
  Part: OwnDevices,
  dialogs: { setup: async () => (await import('./Setup.js')).Setup },
  useActions: useDeviceActions,
  MoreItems,
};

const canShare = typeof navigator !== 'undefined' && 'getDisplayMedia' in (navigator.mediaDevices ?? {});

function useShareAction(): Action[] {
  const { t } = useTranslation();
  const part = usePart(ScreenShare);
  const isSharing = useApp((app) => app.isSharing) ?? false;
  const showsControls = useApp(({ session }) => session?.room.customization.showVideoControls ?? true);
  const { shareScreen } = usePermissions();
  if (!showsControls || !shareScreen || !canShare) return [];
  return [
    {
      id: 'share',
      icon: isSharing ? MonitorX : MonitorUp,
      label: t(isSharing ? 'controls.unshare' : 'controls.share'),
      otherLabel: t(isSharing ? 'controls.share' : 'controls.unshare'),
      shortcut: 's',
      isOn: isSharing,
      onPress: () => void part.set(!isSharing),
    },
  ];
}

/** Shown to who shares, as long as they do. */
function SharingNotice() {
  const { t } = useTranslation();
  const part = usePart(ScreenShare);
  const isSharing = useApp((app) => app.isSharing);
  if (!isSharing) return null;
  return (
    <section className="notice notice-action" aria-label={t('sharing')}>
      <MonitorUp aria-hidden />
      <span className="notice-words">{t('sharing')}</span>
      <button type="button" className="button" data-action="stop-share" onClick={() => void part.set(false)}>
        {t('controls.unshare')}
      </button>
    </section>
  );
}

/** The participant's shared screen. */
export const screenShare: Feature = { Part: ScreenShare, Notice: SharingNotice, useActions: useShareAction };

interface OfferProps {
  device: Device;
  title: string;
  text: string;
  onClose: () => void;
}

/** Asks the participant to turn on a device, on behalf of another person or the host page. Only the button turns it on. */
export function Offer({ device, title, text, onClose }: OfferProps) {
  const { t } = useTranslation();
  const devices = usePart(OwnDevices);
  const Icon = device === 'camera' ? Video : Mic;
  const accept = () => {
    onClose();
    void devices.set(device, true);
  };
  return (
    <section className="offer" aria-label={title}>
      <p>
        <strong>{title}</strong>
        <br />
        <span className="quiet">{text}</span>
      </p>
      <div className="offer-actions">
        <button type="button" className="button" onClick={onClose}>
          {t('offer.later')}
        </button>
        <button type="button" className="button primary" data-action="accept" onClick={accept}>
          <Icon aria-hidden />
          {t(`offer.${device}`)}
        </button>
      </div>
    </section>
  );
}
