import type { Devices } from '../media/devices.js';
import { onSpeechInto, staysOpenWhileMuted } from '../media/muted-speech.js';
import type { Store } from '../store/store.js';
import type { AppState } from './app-store.js';
import type { Toasts } from './toasts.js';

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
