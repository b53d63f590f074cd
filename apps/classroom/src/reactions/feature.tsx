import { SmilePlus } from 'lucide-react';
import { usePermissions } from '../app/context.js';
import type { Action, Feature } from '../app/feature.js';
import { useTranslation } from '../i18n/index.js';
import { RecentReactions } from './recent-reactions.js';
import { ReactionItems, ReactionPicker, Reactions } from './Reactions.js';

function useActions(): Action[] {
  const { t } = useTranslation();
  const { react } = usePermissions();
  if (!react) return [];
  const label = t('panels:reactions.react');
  return [{ id: 'reactions', icon: SmilePlus, label, Control: ReactionPicker, Items: ReactionItems, onPress: () => undefined }];
}

/** Emojis that rise over the stage. */
export const reactions: Feature = { Part: RecentReactions, OverStage: Reactions, useActions };
