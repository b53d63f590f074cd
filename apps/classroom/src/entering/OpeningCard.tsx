import './opening.css';
import { addTexts, formatDuration, localeOf, useTranslation } from '../i18n/index.js';
import de from './opening.de.json';
import en from './opening.en.json';
import { CalendarClock } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useApp, useClassroom } from '../app/context.js';
import { useRerenderEvery } from '../ui/panel-context.js';

addTexts('opening', { en, de });

/** Until then, the date says enough. */
const DAY_MS = 86_400_000;

/** Shown until the room opens: what the class is, when it starts, and how long that is. The page enters by itself. */
export function OpeningCard() {
  const { t, i18n } = useTranslation('opening');
  const { app, sessions } = useClassroom();
  const opening = useApp((app) => app.opening);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  useRerenderEvery(1000);
  if (!opening) return null;
  const { title, startsAt, opensAt, roomDescription, logoUrl, devices } = opening;
  const left = opensAt - sessions.now();
  const isToday = new Date(startsAt).toDateString() === new Date(sessions.now()).toDateString();
  const day = isToday ? {} : ({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const);
  const format = { ...day, hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;
  const time = new Intl.DateTimeFormat(localeOf(i18n.language), format).format(startsAt);
  return (
    <main className="outcome">
      <section className="card outcome-card">
        {logoUrl ? (
          <img className="opening-logo" src={logoUrl} alt={t('core:header.logo')} />
        ) : (
          <span className="outcome-icon">
            <CalendarClock aria-hidden />
          </span>
        )}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {roomDescription && <p className="opening-description">{roomDescription}</p>}
        <p>{t('title')}</p>
        <p className="quiet">{t(isToday ? 'startsToday' : 'starts', { time })}</p>
        {left > DAY_MS ? null : left > 0 ? (
          <p className="opening-left">
            {t('opens')}
            <span className="opening-time" role="timer">
              {formatDuration(left)}
            </span>
          </p>
        ) : (
          <p className="opening-left" role="status">
            {t('soon')}
          </p>
        )}
        <p className="quiet">{t('stay')}</p>
        <button type="button" className="button" data-action="setup" onClick={() => app.set({ dialog: 'setup' })}>
          {t(devices.length > 0 ? 'core:controls.setup' : 'core:controls.setupSound')}
        </button>
      </section>
    </main>
  );
}
