import './notifications.css';
import { addTexts, useTranslation } from '../i18n/index.js';
import de from './notifications.de.json';
import en from './notifications.en.json';
import { Dialog } from '@classroom/page/Dialog';
import { useState } from 'react';
import { useClassroom, usePermissions } from '../app/context.js';
import { notificationSetting } from './alerts.js';
import { useStore } from '../store.js';
import { Switch } from '../ui/Switch.js';
import { follow, findObstacle, isFramedByOther } from './notifier.js';

addTexts('notifications', { en, de });

export { follow } from './notifier.js';

export function NotificationsDialog() {
  const { t } = useTranslation('notifications');
  const classroom = useClassroom();
  const { manageParticipants } = usePermissions();
  const { isOn, hasSound, hasHandSound } = useStore(notificationSetting, (state) => state);
  const [obstacle, setObstacle] = useState(findObstacle);
  const close = () => classroom.app.set({ dialog: undefined });
  const turn = async (wanted: boolean) => {
    notificationSetting.set({ isOn: wanted });
    if (!wanted) return;
    follow(classroom);
    // The only place that asks: browsers ask only within a click.
    if (findObstacle() === 'unanswered') await Notification.requestPermission();
    setObstacle(findObstacle());
  };
  return (
    <Dialog title={t('title')} onClose={close}>
      <div className="notifications">
        <Switch
          name="notify"
          label={t('use')}
          hint={t(`hint.${manageParticipants ? 'teacher' : 'student'}`)}
          isOn={isOn}
          onChange={(wanted) => void turn(wanted)}
        />
        <p className="notifications-why" role="status">
          {isOn && obstacle
            ? `${t(`why.${obstacle}`)} ${t(`instead.${isFramedByOther() ? 'frame' : 'page'}`)}${hasSound ? ` ${t('heard')}` : ''}`
            : ''}
        </p>
        {isOn && (
          <Switch
            name="notify-sound"
            label={t('sound')}
            hint={t('soundHint')}
            isOn={hasSound}
            onChange={(wanted) => notificationSetting.set({ hasSound: wanted })}
          />
        )}
        {manageParticipants && (
          <Switch
            name="hand-sound"
            label={t('handSound')}
            hint={t('handSoundHint')}
            isOn={hasHandSound}
            onChange={(wanted) => notificationSetting.set({ hasHandSound: wanted })}
          />
        )}
      </div>
      <div className="dialog-actions">
        <button type="button" className="button primary" data-action="notifications-done" onClick={close}>
          {t('done')}
        </button>
      </div>
    </Dialog>
  );
}
