import { EllipsisVertical, Hand, Mic, MicOff, MonitorX, PictureInPicture2, Pin, PinOff, UserX, VideoOff } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { useApp, useClass, useClassroom } from '../app/context.js';
import { usePermissions } from '../app/permissions.js';
import { outranks } from '@classroom/page/outranks';
import { Confirm } from '@classroom/page/Dialog';
import { Menu, MenuItem } from '../ui/Menu.js';
import { useTranslation } from '../i18n/index.js';
import type { Person } from '../media/person.js';

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
  const { manageParticipants } = usePermissions();
  const ownRole = useApp((app) => app.session?.participant.role);
  const isPinned = useApp((app) => app.pinned === tileKey);
  const isSpeaker = useClass(({ speakers }) => speakers.some(({ uid }) => uid === person.uid));
  const isHandRaised = useClass(({ hands }) => hands.some(({ uid }) => uid === person.uid));
  const [isConfirming, setConfirming] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  const { uid, name } = person;
  const { api } = classroom;

  const actionItem = (key: string, icon: ReactNode, run: () => Promise<unknown>) => (
    <MenuItem key={key} icon={icon} action={key} onChoose={() => void classroom.actions.run(run, 'toast.actionFailed')}>
      {t(`action.${key}`)}
    </MenuItem>
  );
  /** In a window above all others, while the user works in another program. A browser may refuse it, which the user sees. */
  const showInPicture = () =>
    void menu.current?.parentElement
      ?.querySelector('video')
      ?.requestPictureInPicture()
      .catch(() => undefined);
  const actions: ReactNode[] = [];
  const isAbove = outranks(person.role, ownRole ?? 'STUDENT');
  if (manageParticipants && !person.isLocal && !isAbove) {
    if (isScreen) actions.push(actionItem('stopShare', <MonitorX aria-hidden />, () => api.muteParticipant({ uid, source: 'screen' })));
    else {
      if (person.microphone === 'on')
        actions.push(actionItem('mute', <MicOff aria-hidden />, () => api.muteParticipant({ uid, source: 'microphone' })));
      if (person.camera)
        actions.push(actionItem('stopCamera', <VideoOff aria-hidden />, () => api.muteParticipant({ uid, source: 'camera' })));
      if (isHandRaised) actions.push(actionItem('lowerHand', <Hand aria-hidden />, () => api.lowerHand({ uid })));
      if (person.role === 'STUDENT') {
        const key = isSpeaker ? 'takeBack' : 'allowToSpeak';
        actions.push(
          actionItem(key, isSpeaker ? <MicOff aria-hidden /> : <Mic aria-hidden />, () => api.allowToSpeak({ uid, allowed: !isSpeaker })),
        );
      }
      actions.push(
        <MenuItem key="remove" icon={<UserX aria-hidden />} isDanger action="remove" onChoose={() => setConfirming(true)}>
          {t('action.remove')}
        </MenuItem>,
      );
    }
  }
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
      {actions}
    </>
  );
  return (
    <div ref={menu} className="tile-menu" onDoubleClick={(event) => event.stopPropagation()}>
      <Menu label={t('action.menu', { name })} items={items}>
        <EllipsisVertical aria-hidden />
      </Menu>
      {isConfirming && (
        <Confirm
          title={t('remove.title', { name })}
          text={t('remove.text')}
          confirmLabel={t('remove.yes')}
          cancelLabel={t('remove.no')}
          action="confirm-remove"
          onConfirm={() => void classroom.actions.run(() => api.removeParticipant({ uid }), 'toast.actionFailed')}
          onClose={() => setConfirming(false)}
        />
      )}
    </div>
  );
}
