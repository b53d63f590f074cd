import { CircleDot, CircleX, Film, Link2Off, LogOut, MonitorX, Power, Users, WifiOff, type LucideIcon } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { formatDuration, useTranslation } from '../i18n/index.js';
import { useApp, useClassroom } from '../app/context.js';
import './outcome.css';
import { OUTCOMES, type OutcomeReason } from '../app/outcomes.js';

const ICONS: Record<OutcomeReason, LucideIcon> = {
  left: LogOut,
  ended: Power,
  removed: CircleX,
  refused: CircleX,
  'no-consent': CircleDot,
  'not-admitted': CircleX,
  replaced: MonitorX,
  'no-token': Link2Off,
  invalid: Link2Off,
  'unknown-room': Link2Off,
  forbidden: CircleX,
  expired: Link2Off,
  full: Users,
  unreachable: WifiOff,
  'no-media': WifiOff,
  unsupported: MonitorX,
  failed: CircleX,
};

/** A page in a frame is not the user's to close. */
const isFramed = window.top !== window;

/** Shown after the class or instead of it: what happened and what to do. */
export function OutcomeCard() {
  const { t } = useTranslation();
  const classroom = useClassroom();
  const reason = useApp((app) => app.reason) ?? 'failed';
  const endReason = useApp((app) => app.endReason);
  const ownEnd = useApp((app) => app.ownEnd);
  const requestId = useApp((app) => app.requestId);
  const session = useApp((app) => app.session);
  const wasRecorded = useApp((app) => app.wasRecorded);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [reason]);
  const { state, hasAction } = OUTCOMES[reason];
  const Icon = ICONS[reason];
  const isFailure = state === 'kicked' || (state === 'error' && reason !== 'replaced');
  const text =
    reason !== 'ended' || !endReason
      ? t(`outcome.${reason}.text`)
      : ownEnd && endReason === 'class_ended'
        ? t('outcome.ended.byYou', { count: ownEnd.people, time: formatDuration(ownEnd.lastedMs) })
        : t(`outcome.ended.${endReason}`);
  return (
    <main className="outcome">
      <section className="card outcome-card">
        <span className="outcome-icon" data-kind={isFailure ? 'failure' : undefined}>
          <Icon aria-hidden />
        </span>
        <h1 ref={heading} tabIndex={-1}>
          {t(`outcome.${reason}.title`)}
        </h1>
        <p className="quiet">
          {text}
          {reason === 'ended' && endReason !== 'unused' && !isFramed && ` ${t('outcome.ended.close')}`}
        </p>
        {/* For those who are asked for it. */}
        {reason === 'ended' && wasRecorded && session?.permissions.stopRecording && (
          <p className="quiet outcome-recording">
            <Film aria-hidden />
            {t('outcome.ended.recorded')}
          </p>
        )}
        {hasAction && (
          <button type="button" className="button primary" data-action="again" onClick={() => void classroom.rejoin()}>
            {t(`outcome.${reason}.action`)}
          </button>
        )}
        {session && <p className="outcome-room">{session.room.title}</p>}
        {requestId && state !== 'ended' && <p className="outcome-request">{t('outcome.request', { id: requestId })}</p>}
      </section>
    </main>
  );
}
