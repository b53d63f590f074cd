import { SignalLow, Users } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from '../i18n/index.js';
import { formatDuration } from '../app/format-duration.js';
import { useApp, useClass, usePeople, useClassroom } from '../app/context.js';

export function Header() {
  const { t } = useTranslation();
  const session = useApp((app) => app.session);
  const state = useApp((app) => app.state);
  const title = useClass(({ room }) => room?.title) ?? session?.room.title ?? '';
  const count = usePeople(({ people }) => people.length);
  const quality = usePeople(({ self }) => self?.quality);
  const recording = useClass((snapshot) => snapshot.recording);
  const isPoor = state === 'connected' && (quality === 'poor' || quality === 'lost');
  return (
    <header className="header">
      {session?.branding.logoUrl && <img className="header-logo" src={session.branding.logoUrl} alt={t('header.logo')} />}
      <h1 className="header-title" title={title}>
        {title}
      </h1>
      <Elapsed />
      {recording?.status === 'ACTIVE' && (
        <span className="header-recording" title={t('header.recording')}>
          <span className="dot" aria-hidden />
          {t('header.rec')}
        </span>
      )}
      {recording?.paused && <span className="header-paused">{t('announcement.recording.paused')}</span>}
      <span className="header-end">
        {isPoor && (
          <span className="header-poor">
            <SignalLow aria-hidden />
            {t('header.poor')}
          </span>
        )}
        {count > 0 && (
          <span className="header-people">
            <Users aria-hidden />
            <span className="header-people-words">{t('header.people', { count })}</span>
            <span className="header-people-count" aria-hidden>
              {count}
            </span>
          </span>
        )}
      </span>
    </header>
  );
}

function Elapsed() {
  const { t } = useTranslation();
  const { sessions } = useClassroom();
  const startedAt = useApp((app) => app.startedAt);
  const isIn = useApp((app) => app.state === 'connected' || app.state === 'reconnecting');
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  if (!isIn || startedAt === undefined) return null;
  return (
    <span className="header-elapsed" role="timer" aria-label={t('header.elapsed')}>
      {formatDuration(sessions.now() - startedAt)}
    </span>
  );
}
