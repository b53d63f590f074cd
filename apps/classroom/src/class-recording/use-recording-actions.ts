import { useEffect, useState } from 'react';
import { useClass, useClassroom } from '../app/context.js';
import type { EffectivePermissions } from '../app/context.js';
import { useTranslation } from '../i18n/index.js';
import type { RecordingActions } from './recording-actions.js';

/** The actions of those who may control the recording. They are loaded for them alone: the others are most of the class. */
export function useRecordingActions(permissions: EffectivePermissions): RecordingActions {
  const { i18n } = useTranslation();
  const classroom = useClassroom();
  const recording = useClass((snapshot) => snapshot.recording);
  const [loaded, setLoaded] = useState<typeof import('./recording-actions.js')>();
  const isNeeded = permissions.startRecording || permissions.stopRecording;
  useEffect(() => {
    // Without them, the class continues; the next page that is opened tries again.
    if (!isNeeded) return;
    const load = async () => {
      const actions = await import('./recording-actions.js');
      actions.addTexts(i18n);
      setLoaded(actions);
    };
    load().catch(() => undefined);
  }, [isNeeded, i18n]);
  return loaded ? loaded.recordingActions(i18n, classroom, permissions, recording) : {};
}
