import type { i18n as I18n } from 'i18next';
import { CircleDot, CirclePause, CirclePlay, CircleStop } from 'lucide-react';
import type { ClassroomController } from '../app/classroom-controller.js';
import type { EffectivePermissions } from '../app/context.js';
import type { Recording } from '../class/snapshot.js';
import german from './recording.de.json';
import english from './recording.en.json';
import type { Action } from '../app/feature.js';

/**
 * All languages are loaded with these actions, because the texts are few. `i18n` is passed and not imported: the bundler would split it off the
 * files of the first load, which would grow by half a kilobyte.
 */
export function addTexts(i18n: I18n): void {
  i18n.addResourceBundle('en', 'recording', english);
  i18n.addResourceBundle('de', 'recording', german);
}

type Step = 'record' | 'stop' | 'pause' | 'resume';

export interface RecordingActions {
  /** Starts the recording, or stops one that runs or is paused. */
  record?: Action | undefined;
  /** Pauses or resumes it: one button, which keeps the focus. */
  pause?: Action | undefined;
}

/** Whether a request is on its way: the second click of a double click does nothing. */
let isSending = false;

/** Who may stop a recording and not start one gets no pause, because they could not end it. */
export function recordingActions(
  i18n: I18n,
  { attempt, api, classStore }: ClassroomController,
  { startRecording: mayStart, stopRecording: mayStop }: EffectivePermissions,
  recording: Recording | null,
): RecordingActions {
  const isStarting = recording?.status === 'STARTING';
  const isOn = isStarting || recording?.status === 'ACTIVE';
  const isPaused = !isOn && !!recording?.paused;
  const calls: Record<Step, () => Promise<unknown>> = {
    record: () => api.startRecordingInClass(),
    stop: () => api.stopRecordingInClass(),
    pause: () => api.pauseRecordingInClass(),
    resume: () => api.resumeRecordingInClass(),
  };
  const send = async (step: Step) => {
    if (isSending) return;
    isSending = true;
    await attempt(calls[step], `recording:failed.${step}`);
    isSending = false;
    await classStore.refresh();
  };
  const action = (id: string, step: Step, icon: Action['icon'], more: Partial<Action> = {}): Action => ({
    id,
    icon,
    label: i18n.t(`recording:${step}`),
    onPress: () => void send(step),
    ...more,
  });
  const start = { otherLabel: i18n.t('recording:stop') };
  const stop = { isDanger: true, stays: true, otherLabel: i18n.t('recording:record') };
  const starting = { isDisabled: true, label: i18n.t('recording:starting'), otherLabel: i18n.t('recording:stop') };
  const [mayToggle, mayPause] = [isOn || isPaused ? mayStop : mayStart, isPaused ? mayStart : isOn && mayStart && mayStop];
  return {
    record: !mayToggle
      ? undefined
      : isOn || isPaused
        ? action('record', 'stop', CircleStop, { ...stop, ...(isStarting && starting) })
        : action('record', 'record', CircleDot, start),
    pause: !mayPause ? undefined : isPaused ? action('pause', 'resume', CirclePlay) : action('pause', 'pause', CirclePause),
  };
}
