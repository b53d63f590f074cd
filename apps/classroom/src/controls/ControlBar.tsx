import { Bell, CircleDot, Ellipsis, Headphones, Keyboard, Maximize, Settings } from 'lucide-react';
import { useApp, useClass, useClassroom } from '../app/context.js';
import { usePermissions } from '../app/permissions.js';
import { useTranslation } from '../i18n/index.js';
import { ReactionPicker, useUnread } from '../panels/index.js';
import { useOpenQuestions } from '../tutor/questions/use-open-questions.js';
import { Control } from './Control.js';
import './controls.css';
import { DeviceMenu } from './DeviceMenu.js';
import { LeaveControl } from './LeaveControl.js';
import { Menu, MenuItem } from '../ui/Menu.js';
import type { Action } from './action.js';

interface ControlBarProps {
  own: Action[];
  tabs: Action[];
  onSettings(): void;
  onShortcuts(): void;
}

export function ControlBar({ own, tabs, onSettings, onShortcuts }: ControlBarProps) {
  const { t } = useTranslation();
  const { app, classStore, api, consent } = useClassroom();
  const tab = useApp((app) => app.tab);
  const { changeRoom, manageParticipants, react } = usePermissions();
  const hasConsent = useApp((app) => app.session?.consent !== undefined);
  const attention = useClass(({ hands, waiting }) => hands.length + waiting.length);
  const unread = useUnread(classStore, tab === 'chat');
  const questionCount = useOpenQuestions().questions.length;
  const hand = own.findIndex(({ id }) => id === 'hand');
  const badges: Record<string, number> = { chat: unread, people: manageParticipants ? attention : 0, tutor: questionCount };
  const secondaryActions = [...own, ...tabs].filter(({ isSecondary }) => isSecondary);
  const more = (
    <>
      <div className="narrow-only">
        {secondaryActions.map(({ id, icon: Icon, label, isDanger, onPress }) => (
          <MenuItem key={id} icon={<Icon aria-hidden />} isDanger={isDanger ?? false} action={id} onChoose={onPress}>
            {label}
          </MenuItem>
        ))}
      </div>
      {changeRoom && (
        <MenuItem icon={<Settings aria-hidden />} action="settings" onChoose={onSettings}>
          {t('controls.settings')}
        </MenuItem>
      )}
      {hasConsent && (
        <MenuItem icon={<CircleDot aria-hidden />} action="consent" onChoose={() => consent.open()}>
          {t('controls.consent')}
        </MenuItem>
      )}
      <MenuItem icon={<Headphones aria-hidden />} action="setup" onChoose={() => app.set({ dialog: 'setup' })}>
        {t('controls.setup')}
      </MenuItem>
      <MenuItem icon={<Bell aria-hidden />} action="notifications" onChoose={() => app.set({ dialog: 'notifications' })}>
        {t('controls.notifications')}
      </MenuItem>
      {document.fullscreenEnabled && <FullScreenItem />}
      <MenuItem icon={<Keyboard aria-hidden />} action="shortcuts" onChoose={onShortcuts}>
        {t('controls.shortcuts')}
      </MenuItem>
    </>
  );
  const control = (action: Action) => {
    const { id } = action;
    const extra = id === 'microphone' || id === 'camera' ? <DeviceMenu device={id} /> : undefined;
    return <Control key={id} action={action} extra={extra} />;
  };
  return (
    <section className="bar" aria-label={t('controls.label')}>
      <div className="bar-own">
        {own.slice(0, hand + 1).map(control)}
        {react && <ReactionPicker api={api} />}
        {own.slice(hand + 1).map(control)}
        <Menu label={t('controls.more')} items={more} className="control more" action="more">
          <span className="control-icon">
            <Ellipsis aria-hidden />
            {questionCount > 0 && <span className="badge narrow-only">{questionCount}</span>}
          </span>
          <span className="control-label">{t('controls.more')}</span>
        </Menu>
      </div>
      <div className="bar-tabs">
        {tabs.map((action) => (
          <Control key={action.id} action={action} badge={badges[action.id] ?? 0} />
        ))}
        <LeaveControl />
      </div>
    </section>
  );
}

/** A component of its own, which reads the browser's state each time that the menu opens. */
function FullScreenItem() {
  const { t } = useTranslation();
  const isOn = document.fullscreenElement !== null;
  // A browser may refuse either. Then nothing changes, which the user sees.
  const toggle = () => void (isOn ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(() => undefined);
  return (
    <MenuItem icon={<Maximize aria-hidden />} action="full-screen" onChoose={toggle}>
      {t(`controls.fullScreen.${isOn ? 'on' : 'off'}`)}
    </MenuItem>
  );
}
