import { ChevronDown, type LucideIcon, Mic, Video } from 'lucide-react';
import './device-choice.css';
import { useApp, usePart } from '../app/context.js';
import { devicesOf, OwnDevices } from './own-devices.js';
import { useTranslation } from '../i18n/index.js';
import { useDeviceList } from './DeviceMenu.js';
import type { Device } from '../media/devices.js';

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
