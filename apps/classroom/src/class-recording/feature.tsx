import { useEffect, useState } from 'react';
import { CircleDot } from 'lucide-react';
import type { ClassroomController, Part } from '../app/classroom-controller.js';
import { HostEvents } from '../embed/host-events.js';
import { useApp, useClass, useClassroom, usePart, usePermissions, type EffectivePermissions } from '../app/context.js';
import type { Action, Feature } from '../app/feature.js';
import { useTranslation } from '../i18n/index.js';
import type { RecordingActions } from './recording-actions.js';
import { LoadedPanel } from '../ui/LoadedPanel.js';
import { MenuItem } from '../ui/Menu.js';
import { Consent } from './consent.js';

declare module '../app/app-store.js' {
  interface AppState {
    /** Whether a recording ran while this page was in class. */
    wasRecorded?: boolean;
  }
}

/** Announces each start, pause and end of a recording. */
class ClassRecording implements Part {
  constructor(classroom: ClassroomController) {
    const { bridge } = classroom.get(HostEvents);
    classroom.classStore.onRecording((kind, recording) => {
      classroom.app.set({ wasRecorded: true });
      bridge.emit(`recording_${kind}`, recording);
      classroom.toasts.announce({ key: `announcement.recording.${recording.paused ? 'paused' : kind}` });
    });
  }
}

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

const loadDialog = () => import('./ConsentDialog.js').then(({ ConsentDialog }) => ConsentDialog);

/** The question for consent, which is loaded when a class asks for it. */
function Everywhere() {
  const isOpen = useApp((app) => app.consent !== undefined);
  return isOpen ? <LoadedPanel load={loadDialog} /> : null;
}

function MoreItems() {
  const { t } = useTranslation();
  const consent = usePart(Consent);
  const hasConsent = useApp((app) => app.session?.consent !== undefined);
  if (!hasConsent) return null;
  return (
    <MenuItem icon={<CircleDot aria-hidden />} action="consent" onChoose={() => consent.open()}>
      {t('controls.consent')}
    </MenuItem>
  );
}

/** The question for consent to recordings. */
export const consent: Feature = { Part: Consent, Everywhere, MoreItems };
