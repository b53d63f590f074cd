import { Check, ChevronDown, ChevronUp, Mic, Video, type LucideIcon } from 'lucide-react';
import { useState, useEffect } from 'react';
import { useApp, usePart } from '../app/context.js';
import { devicesOf, OwnDevices } from './own-devices.js';
import { useTranslation } from '../i18n/index.js';
import type { Device } from '../media/devices.js';
import { Menu, MenuHeading, MenuItem } from '../ui/Menu.js';
import './device-choice.css';

const KIND = { microphone: 'audioinput', camera: 'videoinput' } as const;

/** The menu of cameras, microphones and speakers. Empty if there is nothing to choose. */
export function DeviceMenu({ device }: { device: Device }) {
  const { t } = useTranslation();
  const own = usePart(OwnDevices);
  const status = useApp((app) => devicesOf(app)[device]);
  const inputs = useDeviceList(KIND[device], status);
  const outputs = useDeviceList('audiooutput', status);
  const [speaker, setSpeaker] = useState(own.chosenSpeakerId() ?? 'default');
  const speakers = device === 'microphone' && canChooseSpeaker ? outputs : [];
  if (inputs.length === 0 && speakers.length === 0) return null;
  const chosen = own.chosenId(device) ?? 'default';
  const option = (info: MediaDeviceInfo, isChosen: boolean, choose: () => void) => (
    <MenuItem key={info.deviceId} isChosen={isChosen} icon={isChosen && <Check aria-hidden />} onChoose={choose}>
      {info.label}
    </MenuItem>
  );
  const items = (
    <>
      <MenuHeading>{t(`devices.${device}`)}</MenuHeading>
      {inputs.map((info) => option(info, info.deviceId === chosen, () => void own.choose(device, info.deviceId)))}
      {speakers.length > 0 && <MenuHeading>{t('devices.speaker')}</MenuHeading>}
      {speakers.map((info) =>
        option(info, info.deviceId === speaker, () => {
          setSpeaker(info.deviceId);
          void own.chooseSpeaker(info.deviceId);
        }),
      )}
    </>
  );
  return (
    <Menu label={t(`devices.choose.${device}`)} items={items} className="control-extra">
      <ChevronUp aria-hidden />
    </Menu>
  );
}

/** Devices with a name. The browser hides the names until the user has allowed a device, and unnamed devices are omitted. */
export function useDeviceList(kind: MediaDeviceKind, refreshOn?: unknown): MediaDeviceInfo[] {
  const [devices, setDevices] = useState<MediaDeviceInfo[]>([]);
  useEffect(() => {
    const media = navigator.mediaDevices as MediaDevices | undefined;
    if (!media) return undefined;
    let isCurrent = true;
    const update = async () => {
      const all = await media.enumerateDevices().catch(() => []);
      if (isCurrent) setDevices(all.filter((device) => device.kind === kind && device.label));
    };
    void update();
    media.addEventListener('devicechange', update);
    return () => {
      isCurrent = false;
      media.removeEventListener('devicechange', update);
    };
  }, [kind, refreshOn]);
  return devices;
}

/** Whether the browser lets a page choose the audio output. */
export const canChooseSpeaker = 'setSinkId' in HTMLMediaElement.prototype;

interface DeviceChoiceProps {
  icon: LucideIcon;
  /** For screen readers; sighted users see the icon. */
  name: string;
  value: string | undefined;
  devices: readonly { deviceId: string; label: string }[];
  onChoose: (deviceId: string) => void;
  /** Name by which tests find it. */
  action?: string;
}

export function DeviceChoice({ icon: Icon, name, value, devices, onChoose, action }: DeviceChoiceProps) {
  return (
    <label className="choice">
      <Icon aria-hidden />
      <span className="unseen">{name}</span>
      <select value={value} data-action={action} onChange={({ target }) => onChoose(target.value)}>
        {devices.map(({ deviceId, label }) => (
          <option key={deviceId} value={deviceId}>
            {label}
          </option>
        ))}
      </select>
      <ChevronDown aria-hidden />
    </label>
  );
}

/** The choice of the devices that the participant may use. The browser reveals device names only after the user has allowed a device. */
export function DeviceSelects({ devices }: { devices: readonly Device[] }) {
  if (devices.length === 0) return null;
  return (
    <div className="choices">
      {devices.map((device) => (
        <DeviceSelect key={device} device={device} />
      ))}
    </div>
  );
}

function DeviceSelect({ device }: { device: Device }) {
  const { t } = useTranslation();
  const devices = usePart(OwnDevices);
  const status = useApp((app) => devicesOf(app)[device]);
  const list = useDeviceList(device === 'camera' ? 'videoinput' : 'audioinput', status);
  if (list.length === 0) return null;
  return (
    <DeviceChoice
      icon={device === 'camera' ? Video : Mic}
      name={t(`devices.${device}`)}
      value={devices.chosenId(device) ?? list[0]?.deviceId}
      devices={list}
      onChoose={(deviceId) => void devices.choose(device, deviceId)}
    />
  );
}
