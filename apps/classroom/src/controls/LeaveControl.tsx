import { LogOut, PhoneOff, Power } from 'lucide-react';
import { useState } from 'react';
import { usePeople, useClassroom, usePermissions } from '../app/context.js';
import { useTranslation } from '../i18n/index.js';
import { Confirm } from '@classroom/page/Dialog';
import { Menu, MenuItem } from '../ui/Menu.js';

/** The Leave button. For participants who may end the class, a menu with both actions. */
export function LeaveControl() {
  const { t } = useTranslation();
  const classroom = useClassroom();
  const { endClass } = usePermissions();
  const others = usePeople(({ people }) => people.length - 1);
  const [isConfirming, setConfirming] = useState(false);
  const end = async () => {
    const { app, sessions } = classroom;
    const now = sessions.now();
    app.set({ ownEnd: { lastedMs: now - (app.get().startedAt ?? now), people: others + 1 } });
    if (!(await classroom.endClass())) app.set({ ownEnd: undefined });
  };
  const content = (
    <>
      <span className="control-icon">
        <PhoneOff aria-hidden />
      </span>
      <span className="control-label">{t('controls.leave')}</span>
    </>
  );
  if (!endClass) {
    return (
      <button type="button" className="control leave" data-action="leave" onClick={() => classroom.leave()}>
        {content}
      </button>
    );
  }
  const items = (
    <>
      <MenuItem icon={<LogOut aria-hidden />} action="leave" onChoose={() => classroom.leave()}>
        {t('leave.only')}
      </MenuItem>
      <MenuItem icon={<Power aria-hidden />} isDanger action="end" onChoose={() => setConfirming(true)}>
        {t('leave.end')}
      </MenuItem>
    </>
  );
  return (
    <>
      <Menu label={t('controls.leave')} items={items} className="control leave" action="leave-menu">
        {content}
      </Menu>
      {isConfirming && (
        <Confirm
          title={t('leave.confirm')}
          text={t('leave.affects', { count: Math.max(0, others) })}
          confirmLabel={t('leave.end')}
          cancelLabel={t('leave.cancel')}
          action="confirm-end"
          onConfirm={() => void end()}
          onClose={() => setConfirming(false)}
        />
      )}
    </>
  );
}
