import { Hand, Mic, MicOff, ScreenShareOff, ShieldMinus, ShieldPlus, UserX, VideoOff, type LucideIcon } from 'lucide-react';
import { useTranslation } from '../i18n/index.js';
import { MenuItem } from '../ui/Menu.js';
import type { ParticipantAction } from './participant-actions.js';

const ICONS: Record<ParticipantAction, LucideIcon> = {
  mute: MicOff,
  stopCamera: VideoOff,
  stopShare: ScreenShareOff,
  lowerHand: Hand,
  allowToSpeak: Mic,
  takeBack: MicOff,
  makeModerator: ShieldPlus,
  makeStudent: ShieldMinus,
  remove: UserX,
};

interface Props {
  actions: readonly ParticipantAction[];
  /** Before the names by which tests find the items. */
  prefix?: string;
  onChoose(action: ParticipantAction): void;
}

/** What can be done about a person, in the menu of their tile and in that of their row. */
export function ParticipantItems({ actions, prefix = '', onChoose }: Props) {
  const { t } = useTranslation('panels');
  return actions.map((action) => {
    const Icon = ICONS[action];
    return (
      <MenuItem
        key={action}
        icon={<Icon aria-hidden />}
        isDanger={action === 'remove'}
        action={`${prefix}${action}`}
        onChoose={() => onChoose(action)}
      >
        {t(`people.action.${action}`)}
      </MenuItem>
    );
  });
}
