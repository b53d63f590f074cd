import { useEffect, useState } from 'react';
import { useClass, useClassroom } from '../app/context.js';
import type { EffectivePermissions } from '../app/permissions.js';
import type { Action } from './action.js';

/** The actions of those who may control the recording. They are loaded for them alone: the others are most of the class. */
export function useRecordingActions(permissions: EffectivePermissions): Action[] {
  const classroom = useClassroom();
  const recording = useClass((snapshot) => snapshot.recording);
  const [loaded, setLoaded] = useState<typeof import('./recording-actions.js')>();
  const isNeeded = permissions.startRecording || permissions.stopRecording;
  useEffect(() => {
    // Without them, the class continues; the next page that is opened tries again.
    if (isNeeded) void import('./recording-actions.js').then(setLoaded, () => undefined);
  }, [isNeeded]);
  return loaded ? loaded.recordingActions(classroom, permissions, recording) : [];
}
