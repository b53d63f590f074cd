import { Hourglass } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useApp, useClassroom } from '../app/context.js';
import { addTexts, useTranslation } from '../i18n/index.js';
import de from './waiting.de.json';
import en from './waiting.en.json';

addTexts('waiting', { en, de });

/** What a participant sees until they are admitted. */
export function WaitingRoom() {
  const { t } = useTranslation('waiting');
  const classroom = useClassroom();
  const session = useApp((app) => app.session);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <main className="outcome">
      <section className="card outcome-card waiting-room">
        <span className="outcome-icon">
          <Hourglass aria-hidden />
        </span>
        <h1 ref={heading} tabIndex={-1}>
          {t('title')}
        </h1>
        <p className="quiet" role="status">
          {t('text')}
        </p>
        <span className="spinner" aria-hidden />
        <button
          type="button"
          className="text-button"
          data-action="notifications"
          onClick={() => classroom.app.set({ dialog: 'notifications' })}
        >
          {t('notify')}
        </button>
        <button type="button" className="button" data-action="leave" onClick={() => classroom.leave()}>
          {t('leave')}
        </button>
        {session && <p className="outcome-room">{session.room.title}</p>}
      </section>
    </main>
  );
}
