import type { i18n as I18n } from 'i18next';
import { CircleDot, CirclePause, CirclePlay, CircleStop } from 'lucide-react';
import type { ClassroomController } from '../app/classroom-controller.js';
import type { EffectivePermissions } from '../app/permissions.js';
import type { Recording } from '../class/snapshot.js';
import german from '../i18n/de/recording.json';
import english from '../i18n/en/recording.json';
import type { Action } from './action.js';

/**
 * All languages are loaded with these actions, because the texts are few. `i18n` is passed and not imported: the bundler would split it off the
 * files of the first load, which would grow by half a kilobyte.
 */
export function addTexts(i18n: I18n): void {
  i18n.addResourceBundle('en', 'recording', english);
  i18n.addResourceBundle('de', 'recording', german);
}

type Step = 'record' | 'stop' | 'pause' | 'resume';

/**
 * To record, or to stop and pause what is recorded, or to resume what is paused. Pause and resume are one button, which keeps the focus. Who
 * may stop a recording and not start one gets no pause, because they could not end it.
 */
export function recordingActions(
  i18n: I18n,
  { actions, api, classStore }: ClassroomController,
  { startRecording: mayStart, stopRecording: mayStop }: EffectivePermissions,
  recording: Recording | null,
): Action[] {
  const isOn = recording?.status === 'STARTING' || recording?.status === 'ACTIVE';
  const isPaused = !isOn && !!recording?.paused;
  const calls: Record<Step, () => Promise<unknown>> = {
    record: () => api.startRecordingInClass(),
    stop: () => api.stopRecordingInClass(),
    pause: () => api.pauseRecordingInClass(),
    resume: () => api.resumeRecordingInClass(),
  };
  const action = (id: string, step: Step, icon: Action['icon'], more: Partial<Action> = {}): Action => ({
    id,
    icon,
    label: i18n.t(`recording:${step}`),
    isSecondary: true,
    onPress: () => void actions.run(calls[step], `recording:failed.${step}`).then(() => classStore.refresh()),
    ...more,
  });
  if (isPaused) return mayStart ? [action('pause', 'resume', CirclePlay)] : [];
  if (!isOn) return mayStart ? [action('record', 'record', CircleDot)] : [];
  if (!mayStop) return [];
  return [...(mayStart ? [action('pause', 'pause', CirclePause)] : []), action('record', 'stop', CircleStop, { isDanger: true })];
}
