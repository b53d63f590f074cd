import { Bell } from 'lucide-react';
import { useApp, useClassroom } from '../app/context.js';
import type { ClassroomController, Part } from '../app/classroom-controller.js';
import type { Feature } from '../app/feature.js';
import { useTranslation } from '../i18n/index.js';
import { MenuItem } from '../ui/Menu.js';
import { announceAlerts, notificationSetting } from './alerts.js';
import { useLoaded } from '../ui/LoadedPanel.js';

declare module '../app/app-store.js' {
  interface Dialogs {
    notifications: true;
  }
}

const load = () => import('./NotificationsDialog.js');

class Notifications implements Part {
  constructor(classroom: ClassroomController) {
    announceAlerts(classroom);
    // Without the file, which only a lost connection explains, the dialog still turns notifications on.
    if (notificationSetting.get().isOn)
      load().then(
        ({ follow }) => follow(classroom),
        () => undefined,
      );
  }
}

function MoreItems() {
  const { t } = useTranslation();
  const { app } = useClassroom();
  return (
    <MenuItem icon={<Bell aria-hidden />} action="notifications" onChoose={() => app.set({ dialog: 'notifications' })}>
      {t('controls.notifications')}
    </MenuItem>
  );
}

/** What is announced to screen readers, and to participants whose page is hidden. */
export const notifications: Feature = {
  Part: Notifications,
  dialogs: { notifications: async () => (await load()).NotificationsDialog },
  MoreItems,
};

const loadAttention = async () => (await import('./Attention.js')).Attention;

function Notice() {
  const manages = useApp(({ session }) => !!session?.permissions.manageParticipants);
  const isIn = useApp(({ state }) => state === 'connected' || state === 'reconnecting');
  return isIn && manages ? <Loaded /> : null;
}

/** Without it, the numbers on the tabs remain. */
function Loaded() {
  const { part: Attention } = useLoaded(loadAttention);
  return Attention ? <Attention /> : null;
}

/** What waits for who manages others, loaded for them alone. */
export const attention: Feature = { Notice };
