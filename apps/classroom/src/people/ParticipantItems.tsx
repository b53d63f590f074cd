import { Hand, Mic, MicOff, ScreenShareOff, ShieldMinus, ShieldPlus, UserX, VideoOff, type LucideIcon } from 'lucide-react';
import { useFeatures } from '../app/feature.js';
import { useTranslation } from '../i18n/index.js';
import type { Person } from '../media/people.js';
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
  /** Undefined for the menu of their screen. */
  person: Person | undefined;
  actions: readonly ParticipantAction[];
  /** Before the names by which tests find the items. */
  prefix?: string;
  onChoose(action: ParticipantAction): void;
}

/** What can be done about a person, in the menu of their tile and in that of their row. */
export function ParticipantItems({ person, actions, prefix = '', onChoose }: Props) {
  const { t } = useTranslation('panels');
  const features = useFeatures();
  const items = actions.map((action) => {
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
  return (
    <>
      {person &&
        !person.isLocal &&
        features.map(({ PersonItems }, index) => PersonItems && <PersonItems key={index} person={person} prefix={prefix} />)}
      {items}
    </>
  );
}
