import { Mic, Video } from 'lucide-react';
import { useApp, useClassroom } from '../app/context.js';
import { useTranslation } from '../i18n/index.js';
import { useDeviceList } from '../media/device-list.js';
import type { Device } from '../media/devices.js';
import { DeviceChoice } from '../ui/DeviceChoice.js';

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
  const { devices } = useClassroom();
  const status = useApp((app) => app.devices[device]);
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
