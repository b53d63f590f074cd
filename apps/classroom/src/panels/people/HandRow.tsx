import { X } from 'lucide-react';
import type { Hand } from '@classroom/contracts';
import { useTranslation } from '../../i18n/index.js';
import type { Person } from '../../media/person.js';
import { Avatar } from '../parts/Avatar.js';
import { usePanel } from '../parts/panel-context.js';
import type { Action } from '../parts/use-action.js';
import { useRerenderEvery } from '../parts/use-rerender-every.js';
import { formatWaitingTime } from './format-waiting-time.js';

const TICK_MS = 5_000;

export function HandRow({ hand, person, runAction }: { hand: Hand; person: Person | undefined; runAction: Action['runAction'] }) {
  const { t, i18n } = useTranslation('panels');
  const { api, store, permissions, self, now } = usePanel();
  useRerenderEvery(TICK_MS);
  const { uid, name } = hand;
  const isOwn = uid === self.uid;
  const mayLower = permissions.manageParticipants || isOwn;
  const mayBeAllowed = permissions.manageParticipants && person?.role === 'STUDENT' && !person.mayPublish;
  const time = formatWaitingTime(now() - Date.parse(hand.raisedAt), i18n.language);
  return (
    <div className="person-row" data-hand={uid}>
      <Avatar uid={uid} name={name} photoURL={person?.photoURL ?? null} />
      <div className="person-words">
        <span className="person-name">
          <bdi>{name}</bdi>
          {isOwn && <span className="person-you">{t('people.you')}</span>}
        </span>
        <span className="person-note">{time ? t('hands.waiting', { time }) : t('hands.justNow')}</span>
      </div>
      {mayBeAllowed && (
        <button
          type="button"
          className="button hand-allow"
          aria-label={t('hands.allow', { name })}
          data-action="allow-to-speak"
          onClick={() => void runAction(() => api.allowToSpeak({ uid, allowed: true }))}
        >
          {t('people.action.allowToSpeak')}
        </button>
      )}
      {mayLower && (
        <button
          type="button"
          className="icon-button"
          title={t('hands.lower')}
          aria-label={t('hands.lowerOf', { name })}
          data-action="lower-hand"
          onClick={() => void runAction(() => (isOwn ? store.raiseHand(false, self) : api.lowerHand({ uid })))}
        >
          <X aria-hidden />
        </button>
      )}
    </div>
  );
}
