import { memo, type ReactNode } from 'react';
import { EllipsisVertical, Mic, MicOff, ScreenShare, ScreenShareOff, UserX, Video, VideoOff } from 'lucide-react';
import { Menu, MenuItem } from '../../ui/Menu.js';
import { useTranslation } from '../../i18n/index.js';
import type { Person } from '../../media/person.js';
import { Avatar } from '../parts/Avatar.js';
import { usePanel } from '../parts/panel-context.js';
import type { Action } from '../parts/use-action.js';
import { useClassPart } from '../parts/use-class-state.js';
import { deedsFor, type Deed } from './deeds.js';

const ICONS: Record<Deed, ReactNode> = {
  mute: <MicOff aria-hidden />,
  stopCamera: <VideoOff aria-hidden />,
  stopShare: <ScreenShareOff aria-hidden />,
  allowToSpeak: <Mic aria-hidden />,
  takeBack: <MicOff aria-hidden />,
  remove: <UserX aria-hidden />,
};

interface Props {
  person: Person;
  run: Action['run'];
  onRemove(person: Person): void;
}

export const PersonRow = memo(({ person, run, onRemove }: Props) => {
  const { t } = useTranslation('panels');
  const { api, store, permissions } = usePanel();
  const speaker = useClassPart(store, 'speakers').find(({ uid }) => uid === person.uid);
  const { uid, name, role } = person;
  const deeds = deedsFor(person, permissions, speaker !== undefined);
  const work: Record<Deed, () => void> = {
    mute: () => void run(() => api.muteParticipant({ uid, source: 'microphone' })),
    stopCamera: () => void run(() => api.muteParticipant({ uid, source: 'camera' })),
    stopShare: () => void run(() => api.muteParticipant({ uid, source: 'screen' })),
    allowToSpeak: () => void run(() => api.allowToSpeak({ uid, allowed: true })),
    takeBack: () => void run(() => api.allowToSpeak({ uid, allowed: false })),
    remove: () => onRemove(person),
  };
  const note = speaker ? t('people.maySpeak') : role === 'STUDENT' ? undefined : t(`people.role.${role}`);
  return (
    <div className="person-row" data-person={uid}>
      <Avatar uid={uid} name={name} photoURL={person.photoURL} />
      <div className="person-words">
        <span className="person-name">
          <bdi>{name}</bdi>
          {person.isLocal && <span className="person-you">{t('people.you')}</span>}
        </span>
        {note && <span className="person-note">{note}</span>}
      </div>
      <Marks person={person} />
      {permissions.manageParticipants && deeds.length === 0 && <span className="person-no-menu" />}
      {deeds.length > 0 && (
        <Menu
          label={t('people.menu', { name })}
          action="person-menu"
          items={deeds.map((deed) => (
            <MenuItem key={deed} icon={ICONS[deed]} isDanger={deed === 'remove'} action={`person-${deed}`} onChoose={work[deed]}>
              {t(`people.deed.${deed}`)}
            </MenuItem>
          ))}
        >
          <EllipsisVertical aria-hidden />
        </Menu>
      )}
    </div>
  );
});

function Marks({ person: { microphone, camera, screen, isSpeaking } }: { person: Person }) {
  const { t } = useTranslation('panels');
  return (
    <span className="person-marks">
      {screen && <ScreenShare role="img" aria-label={t('people.sharing')} />}
      {camera && <Video role="img" aria-label={t('people.cameraOn')} />}
      {microphone === 'on' && <Mic className={isSpeaking ? 'is-speaking' : undefined} role="img" aria-label={t('people.microphoneOn')} />}
      {microphone === 'muted' && <MicOff role="img" aria-label={t('people.muted')} />}
    </span>
  );
}
