import { LogOut, PhoneOff, Power } from 'lucide-react';
import { useState } from 'react';
import { usePeople, useVisit } from '../app/context.js';
import { useRights } from '../app/rights.js';
import { useTranslation } from '../i18n/index.js';
import { Confirm } from '../ui/Dialog.js';
import { Menu, MenuItem } from '../ui/Menu.js';

/** The Leave button. For participants who may end the class, a menu with both actions. */
export function LeaveControl() {
  const { t } = useTranslation();
  const visit = useVisit();
  const { endClass } = useRights();
  const others = usePeople(({ people }) => people.length - 1);
  const [isAsking, setAsking] = useState(false);
  const face = (
    <>
      <span className="control-icon">
        <PhoneOff aria-hidden />
      </span>
      <span className="control-label">{t('controls.leave')}</span>
    </>
  );
  if (!endClass) {
    return (
      <button type="button" className="control leave" data-action="leave" onClick={() => visit.leave()}>
        {face}
      </button>
    );
  }
  const items = (
    <>
      <MenuItem icon={<LogOut aria-hidden />} action="leave" onChoose={() => visit.leave()}>
        {t('leave.only')}
      </MenuItem>
      <MenuItem icon={<Power aria-hidden />} isDanger action="end" onChoose={() => setAsking(true)}>
        {t('leave.end')}
      </MenuItem>
    </>
  );
  return (
    <>
      <Menu label={t('controls.leave')} items={items} className="control leave" action="leave-menu">
        {face}
      </Menu>
      {isAsking && (
        <Confirm
          title={t('leave.confirm')}
          text={t('leave.affects', { count: Math.max(0, others) })}
          yes={t('leave.end')}
          no={t('leave.goOn')}
          action="confirm-end"
          onYes={() => void visit.endClass()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
