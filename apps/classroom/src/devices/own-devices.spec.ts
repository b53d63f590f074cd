import { Store } from '../store.js';
import type { Device, Devices } from '../media/devices.js';
import type { AppState } from '../app/app-store.js';
import { DeviceStatusReporter } from './own-devices.js';
import type { Toasts } from '../app/toasts.js';

function toastsAfter(screen: AppState['screen'], failed: Device[], failedBefore: Device[] = []): string[] {
  const shown: string[] = [];
  const toasts = { showToast: ({ key }: { key: string }) => shown.push(key) } as unknown as Toasts;
  const devices = { deviceError: (device: Device) => (failedBefore.includes(device) ? 'missing' : undefined) } as unknown as Devices;
  new DeviceStatusReporter(new Store({ screen } as AppState), toasts, () => devices).onDevicesFailed(failed);
  return shown;
}

describe('a failure of devices', () => {
  it('is named in class', () => {
    expect(toastsAfter('class', ['camera'])).toEqual(['toast.deviceFailed.camera']);
    expect(toastsAfter('class', ['microphone', 'camera'])).toEqual(['toast.deviceFailed.both']);
  });

  it('is named together with a device that failed before, in the lobby', () => {
    expect(toastsAfter('class', ['camera'], ['microphone'])).toEqual(['toast.deviceFailed.both']);
  });

  it('gives no toast in the lobby', () => {
    expect(toastsAfter('lobby', ['camera'])).toEqual([]);
  });
});
