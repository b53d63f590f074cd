import { Settings, SlidersHorizontal } from 'lucide-react';
import { useClassroom, usePermissions } from '../app/context.js';
import type { Feature } from '../app/feature.js';
import { useTranslation } from '../i18n/index.js';
import { MenuItem } from '../ui/Menu.js';
import { RoomNews } from './room.js';

const loadClassSettings = async () => (await import('./ClassSettings.js')).ClassSettings;
const loadRoomSettings = async () => (await import('./RoomSettings.js')).RoomSettings;

function MoreItems() {
  const { t } = useTranslation();
  const { openDialog } = useClassroom();
  const { changeRoom, manageParticipants } = usePermissions();
  return (
    <>
      {manageParticipants && (
        <MenuItem icon={<SlidersHorizontal aria-hidden />} action="class-settings" onChoose={() => openDialog(loadClassSettings)}>
          {t('controls.classSettings')}
        </MenuItem>
      )}
      {changeRoom && (
        <MenuItem icon={<Settings aria-hidden />} action="settings" onChoose={() => openDialog(loadRoomSettings)}>
          {t('controls.settings')}
        </MenuItem>
      )}
    </>
  );
}

/** The room, whose settings and end the class follows. */
export const room: Feature = { Part: RoomNews, MoreItems };
