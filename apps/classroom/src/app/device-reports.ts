import { DEVICES, type Device, type Devices, type DevicesListener } from '../media/devices.js';
import type { AppState, DeviceStatus } from './app-store.js';
import type { Lines } from './lines.js';
import type { Store } from '../store/store.js';

/** Puts the status of camera and microphone into the app state, and shows notices about failures. */
export class DeviceReports implements DevicesListener {
  constructor(
    private readonly app: Store<AppState>,
    private readonly lines: Lines,
    private readonly devices: () => Devices,
  ) {}

  changed(): void {
    const before = this.app.get().devices;
    const devices = { ...before };
    for (const device of DEVICES) {
      const status: DeviceStatus = { isOn: this.devices().isOn(device), hindrance: this.devices().hindrance(device) };
      const { isOn, hindrance } = before[device];
      if (isOn !== status.isOn || hindrance !== status.hindrance) devices[device] = status;
    }
    if (DEVICES.some((device) => devices[device] !== before[device])) this.app.set({ devices });
  }

  /** The lobby shows the failure itself. */
  failed(devices: readonly Device[]): void {
    if (this.app.get().screen === 'lobby') return;
    this.lines.show({ key: `notice.deviceFailed.${devices.length > 1 ? 'both' : devices[0]}` });
  }

  lost(device: Device, isReplaced: boolean): void {
    this.lines.show({ key: `notice.${isReplaced ? 'deviceReplaced' : 'deviceLost'}.${device}` });
  }
}
