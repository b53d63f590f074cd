import { SignalLow, Users, Volume2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { formatDuration, useTranslation } from '../i18n/index.js';
import { useApp, useClass, usePeople, useClassroom, usePermissions } from '../app/context.js';
import { useFeatures } from '../app/feature.js';
import { hasPeople } from '../people/feature.js';

/** From this time before the end of the class on, in milliseconds, the header shows how long it lasts. */
const ENDS_SOON_MS = 600_000;

export function Header() {
  const { t } = useTranslation();
  const features = useFeatures();
  const session = useApp((app) => app.session);
  const state = useApp((app) => app.state);
  const title = useClass(({ room }) => room?.title) ?? session?.room.title ?? '';
  const quality = usePeople(({ self }) => self?.quality);
  const isPoor = state === 'connected' && (quality === 'poor' || quality === 'lost');
  return (
    <header className="header">
      {session?.branding.logoUrl && <img className="header-logo" src={session.branding.logoUrl} alt={t('header.logo')} />}
      <Title title={title} />
      <Elapsed />
      {features.map(({ InHeader }, index) => InHeader && <InHeader key={index} />)}
      <span className="header-end">
        {isPoor && (
          <span className="header-poor">
            <SignalLow aria-hidden />
            {t('header.poor')}
          </span>
        )}
        <PeopleCount />
      </span>
    </header>
  );
}

/** Gets the focus after the entry if nothing else has it, so that a keyboard begins at the top of the class. */
function Title({ title }: { title: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { toasts } = useClassroom();
  const isIn = useApp((app) => app.state === 'connected');
  const hasEntered = useRef(false);
  useEffect(() => {
    if (!isIn || hasEntered.current) return;
    hasEntered.current = true;
    toasts.announce({ key: 'announcement.entered' });
    // Not from the page around a frame, in which the user may be writing.
    if (document.hasFocus() && document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, [isIn, toasts]);
  return (
    <h1 ref={heading} tabIndex={-1} className="header-title" title={title}>
      {title}
    </h1>
  );
}

/** How many are in class and, for those who let them in, how many wait. It opens the list. */
function PeopleCount() {
  const { t } = useTranslation();
  const { app } = useClassroom();
  const session = useApp((state) => state.session);
  const isOpen = useApp(({ tab }) => tab === 'people');
  const { manageParticipants } = usePermissions();
  const count = usePeople(({ people }) => people.length);
  const waiting = useClass((state) => state.waiting.length);
  if (count === 0 || !session) return null;
  const words = [t('header.people', { count }), manageParticipants && waiting > 0 && t('header.waiting', { count: waiting })];
  const content = (
    <>
      <Users aria-hidden />
      <span className="header-people-words">{words.filter(Boolean).join(' · ')}</span>
      <span className="header-people-count" aria-hidden>
        {count}
      </span>
    </>
  );
  if (!hasPeople(session)) return <span className="header-people">{content}</span>;
  return (
    <button
      type="button"
      className="header-people"
      title={t('controls.people')}
      aria-expanded={isOpen}
      data-action="people-count"
      onClick={() => app.set({ tab: isOpen ? undefined : 'people' })}
    >
      {content}
    </button>
  );
}

function Elapsed() {
  const { t } = useTranslation();
  const { sessions } = useClassroom();
  const startedAt = useApp((app) => app.startedAt);
  const endsAt = useClass(({ room }) => room?.classEndsAt);
  const isIn = useApp((app) => app.state === 'connected' || app.state === 'reconnecting');
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  if (!isIn || startedAt === undefined) return null;
  const left = endsAt ? Date.parse(endsAt) - sessions.now() : 0;
  return (
    <>
      <span className="header-elapsed" role="timer" aria-label={t('header.elapsed')}>
        {formatDuration(sessions.now() - startedAt)}
      </span>
      {left > 0 && left <= ENDS_SOON_MS && <span className="header-left">{t('header.left', { count: Math.ceil(left / 60_000) })}</span>}
    </>
  );
}

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
