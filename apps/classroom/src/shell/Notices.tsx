import { Volume2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from '../i18n/index.js';
import { useApp, useClassroom } from '../app/context.js';

/** What happened or failed, at the top of the stage: menus open above the control bar, and would cover it. */
export function Notices() {
  const { t } = useTranslation();
  const toast = useApp((app) => app.toast);
  return <div className="notices">{toast && <p className="notice">{t(toast.key, toast.values ?? {})}</p>}</div>;
}

/** Below the stage and not over it: it stays until the user acts. */
export function SoundNotice() {
  const { t } = useTranslation();
  const classroom = useClassroom();
  const isAudioBlocked = useApp((app) => app.isAudioBlocked);
  if (!isAudioBlocked) return null;
  return (
    <div className="notice notice-sound">
      <span>{t('sound.blocked')}</span>
      <button type="button" className="button primary" data-action="sound" onClick={() => classroom.startAudio()}>
        <Volume2 aria-hidden />
        {t('sound.turnOn')}
      </button>
    </div>
  );
}

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
