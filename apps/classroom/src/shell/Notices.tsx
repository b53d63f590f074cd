import { Volume2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from '../i18n/index.js';
import { useApp, useVisit } from '../app/context.js';

/** Notices above the control bar: events, failures, and requests for a user gesture. */
export function Notices() {
  const { t } = useTranslation();
  const visit = useVisit();
  const notice = useApp((app) => app.notice);
  const isSoundBlocked = useApp((app) => app.isSoundBlocked);
  return (
    <div className="notices">
      {notice && <p className="notice">{t(notice.key, notice.values ?? {})}</p>}
      {isSoundBlocked && (
        <div className="notice notice-sound">
          <span>{t('sound.blocked')}</span>
          <button type="button" className="button primary" data-action="sound" onClick={() => visit.startSound()}>
            <Volume2 aria-hidden />
            {t('sound.turnOn')}
          </button>
        </div>
      )}
    </div>
  );
}

/** Shown at the top of the stage, because menus open above the control bar and would cover it. */
export function AwayNotice() {
  const since = useApp((app) => app.awaySince);
  return since === undefined ? null : <Away since={since} />;
}

function Away({ since }: { since: number }) {
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
      {t('notice.away')} {seconds > 0 && <span>{t('notice.seconds', { seconds })}</span>}
    </p>
  );
}
