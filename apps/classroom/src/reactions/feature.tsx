import { useRef, type CSSProperties, useId, useLayoutEffect, useState } from 'react';
import { Hand, SmilePlus } from 'lucide-react';
import type { REACTIONS } from '@classroom/contracts';
import { useApp, useClass, useClassroom, usePart, usePeople, usePermissions } from '../app/context.js';
import { useStore } from '../store.js';
import { RecentReactions } from './recent-reactions.js';
import type { Emoji } from '../session/session.js';
import { keepPlaced } from '../ui/Menu.js';
import { useTranslation } from '../i18n/index.js';
import { FailureLine, useAction } from '../ui/action.js';
import './reactions.css';
import { badgeOf, type Action, type Feature } from '../app/feature.js';
import { Offer } from '../devices/feature.js';
import { devicesOf } from '../devices/own-devices.js';
import { Hands } from './hands.js';

/** The most reactions shown at once; more would hide the class. */
const MAX_SHOWN = 20;
/** Horizontal and vertical positions: enough that no reaction covers another. */
const LANES = 6;
const ROWS = 4;

/** Recent reactions, rising over the stage. Hidden from screen readers: announcing applause would drown out the lesson. */
function Reactions() {
  const reactions = useStore(usePart(RecentReactions), (state) => state.shown);
  const positionOf = useLanePositions(reactions.map(({ id }) => id));
  return (
    <div className="reactions" aria-hidden>
      {reactions.slice(-MAX_SHOWN).map(({ id, emoji, name }) => (
        <div key={id} className="reaction" style={positionOf(id)} data-reaction-shown={emoji}>
          <span className="reaction-emoji">{emoji}</span>
          <bdi className="reaction-name">{name}</bdi>
        </div>
      ))}
    </div>
  );
}

/** Each reaction keeps the same position while it is shown. */
function useLanePositions(ids: readonly string[]): (id: string) => CSSProperties {
  const positions = useRef({ next: 0, places: new Map<string, number>() });
  const { current } = positions;
  const before = current.places;
  current.places = new Map(ids.map((id) => [id, before.get(id) ?? current.next++]));
  return (id) => {
    const place = current.places.get(id) ?? 0;
    return { '--lane': place % LANES, '--row': Math.floor(place / LANES) % ROWS } as CSSProperties;
  };
}

/** A control that opens the list of emojis. It stays open, because users often send more than one reaction. */
function ReactionPicker() {
  const { api } = useClassroom();
  const { t } = useTranslation('panels');
  const { runAction, failure, clearFailure } = useAction();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const popover = useRef<HTMLDivElement>(null);
  const id = useId();
  const onToggle = (isNew: boolean) => {
    setOpen(isNew);
    clearFailure();
  };
  useLayoutEffect(() => {
    if (!isOpen || !popover.current || !button.current) return undefined;
    const stop = keepPlaced(popover.current, button.current);
    popover.current.querySelector('button')?.focus();
    return stop;
  }, [isOpen]);
  return (
    <span className="control-place">
      <button ref={button} type="button" className="control" aria-expanded={isOpen} popoverTarget={id} data-action="reactions">
        <span className="control-icon">
          <SmilePlus aria-hidden />
        </span>
        <span className="control-label">{t('reactions.react')}</span>
      </button>
      <div
        ref={popover}
        id={id}
        popover="auto"
        role="group"
        aria-label={t('reactions.choose')}
        className="reaction-picker"
        onToggle={(event) => onToggle(event.newState === 'open')}
      >
        <div className="reaction-choices">
          {EMOJIS.map((emoji) => (
            <button
              key={emoji}
              type="button"
              aria-label={t(`reactions.${EMOJI_NAMES[emoji]}`)}
              title={t(`reactions.${EMOJI_NAMES[emoji]}`)}
              data-reaction={emoji}
              onClick={() => void runAction(() => api.sendReaction({ emoji }))}
            >
              <span aria-hidden>{emoji}</span>
            </button>
          ))}
        </div>
        <FailureLine code={failure?.code} />
      </div>
    </span>
  );
}

/** The reactions as items of a menu. */
function ReactionItems() {
  const { t } = useTranslation('panels');
  const { api, attempt } = useClassroom();
  return (
    <div className="reaction-choices" role="group" aria-label={t('reactions.choose')}>
      {EMOJIS.map((emoji) => (
        <button
          key={emoji}
          type="button"
          role="menuitem"
          tabIndex={-1}
          aria-label={t(`reactions.${EMOJI_NAMES[emoji]}`)}
          title={t(`reactions.${EMOJI_NAMES[emoji]}`)}
          data-reaction={emoji}
          onClick={() => void attempt(() => api.sendReaction({ emoji }), 'toast.actionFailed')}
        >
          <span aria-hidden>{emoji}</span>
        </button>
      ))}
    </div>
  );
}

export const EMOJIS: typeof REACTIONS = ['👍', '👏', '❤️', '😂', '😮', '🎉'];

/** i18n keys of the emojis' names. */
export const EMOJI_NAMES: Record<Emoji, string> = {
  '👍': 'thumbsUp',
  '👏': 'applause',
  '❤️': 'heart',
  '😂': 'laughter',
  '😮': 'surprise',
  '🎉': 'party',
};

function useReactionActions(): Action[] {
  const { t } = useTranslation();
  const { react } = usePermissions();
  if (!react) return [];
  const label = t('panels:reactions.react');
  return [{ id: 'reactions', icon: SmilePlus, label, Control: ReactionPicker, Items: ReactionItems, onPress: () => undefined }];
}

/** Emojis that rise over the stage. */
export const reactions: Feature = { Part: RecentReactions, OverStage: Reactions, useActions: useReactionActions };

function useHandActions(): Action[] {
  const { t } = useTranslation();
  const { attempt } = useClassroom();
  const part = usePart(Hands);
  const { raiseHand } = usePermissions();
  const self = useApp(({ session }) => session?.participant.uid);
  const count = useClass((state) => state.hands.length);
  const place = useClass((state) => state.hands.findIndex(({ uid }) => uid === self) + 1);
  const isUp = place > 0;
  if (!raiseHand && !isUp) return [];
  return [
    {
      id: 'hand',
      icon: Hand,
      label: t(isUp ? 'controls.lowerHand' : 'controls.raiseHand'),
      otherLabel: t(isUp ? 'controls.raiseHand' : 'controls.lowerHand'),
      shortcut: 'h',
      isOn: isUp,
      // Who waits alone needs no place.
      badge: badgeOf(count > 1 ? place : 0, t('controls.badge.place', { place })),
      onPress: () => void attempt(() => part.raise(!isUp), 'toast.handFailed'),
    },
  ];
}

/** Shown to a student who was allowed to speak. */
function OfferToSpeak() {
  const { t } = useTranslation();
  const { app } = useClassroom();
  const offeredBy = useApp((state) => state.offeredBy);
  const isOn = useApp((state) => devicesOf(state).microphone.isOn);
  const name = usePeople(({ people }) => people.find(({ uid }) => uid === offeredBy)?.name) ?? offeredBy;
  if (offeredBy === undefined || isOn) return null;
  const close = () => app.set({ offeredBy: undefined });
  return <Offer device="microphone" title={t('offer.title', { name })} text={t('offer.text')} onClose={close} />;
}

/** Raised hands, and the permission to speak. */
export const hands: Feature = { Part: Hands, OverStage: OfferToSpeak, useActions: useHandActions };
