import { EllipsisVertical, Hand, Mic, MicOff, MonitorX, Pin, PinOff, UserX, VideoOff } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useApp, useClass, useVisit } from '../app/context.js';
import { useRights } from '../app/rights.js';
import { Confirm } from '../ui/Dialog.js';
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
  const visit = useVisit();
  const { manageParticipants } = useRights();
  const isPinned = useApp((app) => app.pinned === tileKey);
  const isSpeaker = useClass(({ speakers }) => speakers.some(({ uid }) => uid === person.uid));
  const hasHand = useClass(({ hands }) => hands.some(({ uid }) => uid === person.uid));
  const [isAsking, setAsking] = useState(false);
  const { uid, name } = person;
  const { api } = visit;

  const deed = (key: string, icon: ReactNode, work: () => Promise<unknown>) => (
    <MenuItem key={key} icon={icon} action={key} onChoose={() => void visit.attempt(work, 'notice.deedFailed')}>
      {t(`deed.${key}`)}
    </MenuItem>
  );
  const deeds: ReactNode[] = [];
  if (manageParticipants && !person.isLocal) {
    if (isScreen) deeds.push(deed('stopShare', <MonitorX aria-hidden />, () => api.muteParticipant({ uid, source: 'screen' })));
    else {
      if (person.microphone === 'on')
        deeds.push(deed('mute', <MicOff aria-hidden />, () => api.muteParticipant({ uid, source: 'microphone' })));
      if (person.camera) deeds.push(deed('stopCamera', <VideoOff aria-hidden />, () => api.muteParticipant({ uid, source: 'camera' })));
      if (hasHand) deeds.push(deed('lowerHand', <Hand aria-hidden />, () => api.lowerHand({ uid })));
      if (person.role === 'STUDENT') {
        const key = isSpeaker ? 'takeBack' : 'allowToSpeak';
        deeds.push(
          deed(key, isSpeaker ? <MicOff aria-hidden /> : <Mic aria-hidden />, () => api.allowToSpeak({ uid, allowed: !isSpeaker })),
        );
      }
      deeds.push(
        <MenuItem key="remove" icon={<UserX aria-hidden />} isDanger action="remove" onChoose={() => setAsking(true)}>
          {t('deed.remove')}
        </MenuItem>,
      );
    }
  }
  const items = (
    <>
      <MenuItem icon={isPinned ? <PinOff aria-hidden /> : <Pin aria-hidden />} action="pin" onChoose={() => onPin(tileKey)}>
        {t(isPinned ? 'deed.unpin' : 'deed.pin')}
      </MenuItem>
      {deeds}
    </>
  );
  return (
    <div className="tile-menu" onDoubleClick={(event) => event.stopPropagation()}>
      <Menu label={t('deed.menu', { name })} items={items}>
        <EllipsisVertical aria-hidden />
      </Menu>
      {isAsking && (
        <Confirm
          title={t('remove.title', { name })}
          text={t('remove.text')}
          yes={t('remove.yes')}
          no={t('remove.no')}
          action="confirm-remove"
          onYes={() => void visit.attempt(() => api.removeParticipant({ uid }), 'notice.deedFailed')}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}
