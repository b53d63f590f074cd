import { useEffect, useState } from 'react';
import { useClass, useClassroom, usePermissions, type EffectivePermissions } from '../app/context.js';
import type { Action, Feature } from '../app/feature.js';
import { useTranslation } from '../i18n/index.js';
import { ClassRecording } from './class-recording.js';
import type { RecordingActions } from './recording-actions.js';

/** The actions of those who may control the recording. They are loaded for them alone: the others are most of the class. */
function useRecordingActions(permissions: EffectivePermissions): RecordingActions {
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

function useActions(): Action[] {
  const { record } = useRecordingActions(usePermissions());
  return record ? [record] : [];
}

/** For those who may, with the button that pauses and resumes the recording: it is pressed where its state is read. */
function InHeader() {
  const { t } = useTranslation();
  const recording = useClass((snapshot) => snapshot.recording);
  const { pause } = useRecordingActions(usePermissions());
  return (
    <>
      {recording?.status === 'STARTING' && <span className="header-paused">{t('header.starting')}</span>}
      {recording?.status === 'ACTIVE' && (
        <span className="header-recording" title={t('header.recording')}>
          <span className="dot" aria-hidden />
          {t('header.rec')}
        </span>
      )}
      {recording?.paused && <span className="header-paused">{t('announcement.recording.paused')}</span>}
      {pause && (
        <button type="button" className="icon-button header-pause" title={pause.label} data-action={pause.id} onClick={pause.onPress}>
          <pause.icon aria-hidden />
          <span className="unseen">{pause.label}</span>
        </button>
      )}
    </>
  );
}

/** The recording of the class, and its control. */
export const classRecording: Feature = { Part: ClassRecording, InHeader, useActions };
