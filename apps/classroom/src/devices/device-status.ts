import { DEVICES, type Device, type Devices, type DevicesListener } from '../media/devices.js';
import type { AppState, DeviceStatus } from '../app/app-store.js';
import type { Toasts } from '../app/toasts.js';
import type { Store } from '../store.js';
import { onSpeechInto, staysOpenWhileMuted } from '../media/muted-speech.js';

/** Puts the status of camera and microphone into the app state, and shows toasts about failures. */
export class DeviceStatusReporter implements DevicesListener {
  constructor(
    private readonly app: Store<AppState>,
    private readonly toasts: Toasts,
    private readonly devices: () => Devices,
  ) {}

  onDevicesChanged(): void {
    const before = this.app.get().devices;
    const devices = { ...before };
    for (const device of DEVICES) {
      const status: DeviceStatus = { isOn: this.devices().isOn(device), deviceError: this.devices().deviceError(device) };
      const { isOn, deviceError } = before[device];
      if (isOn !== status.isOn || deviceError !== status.deviceError) devices[device] = status;
    }
    if (DEVICES.some((device) => devices[device] !== before[device])) this.app.set({ devices });
  }

  /** The lobby shows the failure itself. A device that failed there a moment ago is named again with the one that fails now. */
  onDevicesFailed(failed: readonly Device[]): void {
    if (this.app.get().screen === 'lobby') return;
    const devices = DEVICES.filter((device) => failed.includes(device) || this.devices().deviceError(device));
    this.toasts.showToast({ key: `toast.deviceFailed.${devices.length > 1 ? 'both' : devices[0]}` });
  }

  onBlurFailed(): void {
    this.toasts.showToast({ key: 'toast.blurFailed' });
  }

  onDeviceLost(device: Device, isReplaced: boolean): void {
    this.toasts.showToast({ key: `toast.${isReplaced ? 'deviceReplaced' : 'deviceLost'}.${device}` });
  }
}

/** Who speaks on purpose without being heard knows it after one hint. */
const PAUSE_MS = 60_000;

/** Tells a participant who speaks into the muted microphone that it is off. */
export function followMutedSpeech({ app, devices, toasts }: { app: Store<AppState>; devices: Devices; toasts: Toasts }): void {
  if (!staysOpenWhileMuted) return;
  let end: (() => void) | undefined;
  let hintedAt = -Infinity;
  app.subscribe(() => {
    const { state, devices: status } = app.get();
    // Of a microphone that is off, there is a track only if it was on and is muted.
    const track = state === 'connected' && !status.microphone.isOn ? devices.track('microphone') : undefined;
    if (!track) {
      end?.();
      end = undefined;
    } else if (!end && performance.now() - hintedAt > PAUSE_MS) {
      end = onSpeechInto(track, () => {
        hintedAt = performance.now();
        toasts.showToast({ key: 'toast.mutedSpeech' });
      });
    }
  });
}
