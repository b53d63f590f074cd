import { ChevronDown, type LucideIcon } from 'lucide-react';
import './device-choice.css';

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
