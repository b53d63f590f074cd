import { EllipsisVertical, MonitorOff, PictureInPicture2, Pin, PinOff, Presentation } from 'lucide-react';
import { useRef, useState } from 'react';
import { useApp, useClass, useClassroom, usePermissions } from '../app/context.js';
import { Confirm } from '@classroom/page/Dialog';
import { Menu, MenuItem } from '../ui/Menu.js';
import { useTranslation } from '../i18n/index.js';
import type { Person } from '../media/people.js';
import { actionsFor, callsFor } from '../people/participant-actions.js';
import { ParticipantItems } from '../people/ParticipantItems.js';

interface TileMenuProps {
  person: Person;
  isScreen: boolean;
  tileKey: string;
  onPin(key: string): void;
}

/** The actions for a tile, by the participant's role and by what the tile's person does. */
export function TileMenu({ person, isScreen, tileKey, onPin }: TileMenuProps) {
  const { t } = useTranslation();
  const classroom = useClassroom();
  const permissions = usePermissions();
  const ownRole = useApp((app) => app.session?.participant.role);
  const isPinned = useApp((app) => app.pinned === tileKey);
  const isSpeaker = useClass(({ speakers }) => speakers.some(({ uid }) => uid === person.uid));
  const isHandRaised = useClass(({ hands }) => hands.some(({ uid }) => uid === person.uid));
  const [isConfirming, setConfirming] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  const { uid, name } = person;
  const isSpotlit = person.spotlitAt > 0;
  const calls = callsFor(classroom.api, uid);
  const run = (action: keyof typeof calls) => void classroom.attempt(calls[action], 'toast.actionFailed');

  /** In a window above all others, while the user works in another program. A browser may refuse it, which the user sees. */
  const showInPicture = () =>
    void menu.current?.parentElement
      ?.querySelector('video')
      ?.requestPictureInPicture()
      .catch(() => undefined);
  const all = actionsFor(person, { permissions, ownRole: ownRole ?? 'STUDENT', maySpeak: isSpeaker, isHandRaised });
  // A screen's menu is about the screen.
  const actions = all.filter((action) => (action === 'stopShare') === isScreen);
  const items = (
    <>
      <MenuItem icon={isPinned ? <PinOff aria-hidden /> : <Pin aria-hidden />} action="pin" onChoose={() => onPin(tileKey)}>
        {t(isPinned ? 'action.unpin' : 'action.pin')}
      </MenuItem>
      {document.pictureInPictureEnabled && (isScreen || person.camera) && (
        <MenuItem icon={<PictureInPicture2 aria-hidden />} action="picture-in-picture" onChoose={showInPicture}>
          {t('action.pictureInPicture')}
        </MenuItem>
      )}
      {permissions.manageParticipants && !isScreen && (
        <MenuItem
          icon={isSpotlit ? <MonitorOff aria-hidden /> : <Presentation aria-hidden />}
          action="spotlight"
          onChoose={() =>
            void classroom.attempt(() => classroom.api.spotlightParticipant({ uid, shown: !isSpotlit }), 'toast.actionFailed')
          }
        >
          {t(isSpotlit ? 'action.unspotlight' : 'action.spotlight')}
        </MenuItem>
      )}
      <ParticipantItems
        person={isScreen ? undefined : person}
        actions={actions}
        onChoose={(action) => (action === 'remove' ? setConfirming(true) : run(action))}
      />
    </>
  );
  return (
    <div ref={menu} className="tile-menu" onDoubleClick={(event) => event.stopPropagation()}>
      <Menu label={t('action.menu', { name })} items={items}>
        <EllipsisVertical aria-hidden />
      </Menu>
      {isConfirming && (
        <Confirm
          title={t('panels:people.removing.title', { name })}
          text={t('panels:people.removing.text')}
          confirmLabel={t('panels:people.removing.yes')}
          cancelLabel={t('panels:cancel')}
          action="confirm-remove"
          onConfirm={() => run('remove')}
          onClose={() => setConfirming(false)}
        />
      )}
    </div>
  );
}
