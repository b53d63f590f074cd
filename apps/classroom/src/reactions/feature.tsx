import { Hand, SmilePlus } from 'lucide-react';
import { useApp, useClass, useClassroom, usePart, usePeople, usePermissions } from '../app/context.js';
import { badgeOf, type Action, type Feature } from '../app/feature.js';
import { useTranslation } from '../i18n/index.js';
import { RecentReactions } from './recent-reactions.js';
import { ReactionItems, ReactionPicker, Reactions } from './Reactions.js';
import { Offer } from '../devices/Offer.js';
import { devicesOf } from '../devices/own-devices.js';
import { Hands } from './hands.js';

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
