import { Volume2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from '../i18n/index.js';
import { useApp, useClassroom } from '../app/context.js';

/** Notices above the control bar: events, failures, and requests for a user gesture. */
export function Notices() {
  const { t } = useTranslation();
  const classroom = useClassroom();
  const toast = useApp((app) => app.toast);
  const isAudioBlocked = useApp((app) => app.isAudioBlocked);
  return (
    <div className="notices">
      {toast && <p className="notice">{t(toast.key, toast.values ?? {})}</p>}
      {isAudioBlocked && (
        <div className="notice notice-sound">
          <span>{t('sound.blocked')}</span>
          <button type="button" className="button primary" data-action="sound" onClick={() => classroom.startAudio()}>
            <Volume2 aria-hidden />
            {t('sound.turnOn')}
          </button>
        </div>
      )}
    </div>
  );
}

/** Shown at the top of the stage, because menus open above the control bar and would cover it. */
export function ReconnectingNotice() {
  const since = useApp((app) => app.reconnectingSince);
  return since === undefined ? null : <ReconnectingText since={since} />;
}

function ReconnectingText({ since }: { since: number }) {
  const { t } = useTranslation();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.round((now - since) / 1000));
  return (
    <p className="notice notice-away">
      <span className="spinner" aria-hidden />
      {t('toast.reconnecting')} {seconds > 0 && <span>{t('toast.seconds', { seconds })}</span>}
    </p>
  );
}
