import { memo } from 'react';
import { EllipsisVertical, Mic, MicOff, ScreenShare, Video } from 'lucide-react';
import { Menu } from '../ui/Menu.js';
import { useTranslation } from '../i18n/index.js';
import type { Person } from '../media/people.js';
import { Avatar } from '../ui/Avatar.js';
import { usePanel, useClassField } from '../ui/panel-context.js';
import type { Action } from '../ui/action.js';
import { actionsFor, callsFor } from './participant-actions.js';
import { ParticipantItems } from './ParticipantItems.js';

interface Props {
  person: Person;
  runAction: Action['runAction'];
  onRemove(person: Person): void;
}

export const PersonRow = memo(({ person, runAction, onRemove }: Props) => {
  const { t } = useTranslation('panels');
  const { api, store, permissions, self } = usePanel();
  const speaker = useClassField(store, 'speakers').find(({ uid }) => uid === person.uid);
  const { uid, name, role } = person;
  const actions = actionsFor(person, { permissions, ownRole: self.role, maySpeak: speaker !== undefined });
  const calls = callsFor(api, uid);
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
      <StatusIcons person={person} />
      {permissions.manageParticipants && actions.length === 0 && <span className="person-no-menu" />}
      {actions.length > 0 && (
        <Menu
          label={t('people.menu', { name })}
          action="person-menu"
          items={
            <ParticipantItems
              person={person}
              actions={actions}
              prefix="person-"
              onChoose={(action) => (action === 'remove' ? onRemove(person) : void runAction(calls[action]))}
            />
          }
        >
          <EllipsisVertical aria-hidden />
        </Menu>
      )}
    </div>
  );
});

function StatusIcons({ person: { microphone, camera, screen, isSpeaking } }: { person: Person }) {
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
