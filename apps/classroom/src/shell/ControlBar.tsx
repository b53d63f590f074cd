import { Ellipsis, Keyboard, LogOut, Maximize, PhoneOff, Power } from 'lucide-react';
import { useRef, useState } from 'react';
import { Confirm } from '@classroom/page/Dialog';
import { usePeople, useClassroom, usePermissions } from '../app/context.js';
import { useTranslation } from '../i18n/index.js';
import { Menu, MenuItem } from '../ui/Menu.js';
import { useFeatures, type Action } from '../app/feature.js';
import './controls.css';
import { useDropped } from './drop-order.js';
import { useShortcutsEnabled } from './shortcuts.js';

/** The Leave button. For participants who may end the class, a menu with both actions. */
function LeaveControl() {
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

interface ControlBarProps {
  own: Action[];
  tabs: Action[];
  onShortcuts(): void;
}

export function ControlBar({ own, tabs, onShortcuts }: ControlBarProps) {
  const { t } = useTranslation();
  const features = useFeatures();
  const bar = useRef<HTMLElement>(null);
  const dropped = useDropped(bar, [...own, ...tabs]);
  const more = (
    <>
      {[...own, ...tabs]
        .filter(({ id, isDisabled }) => dropped.has(id) && !isDisabled)
        .map(({ id, icon: Icon, label, isDanger, Items, onPress }) =>
          Items ? (
            <Items key={id} />
          ) : (
            <MenuItem key={id} icon={<Icon aria-hidden />} isDanger={isDanger ?? false} action={id} onChoose={onPress}>
              {label}
            </MenuItem>
          ),
        )}
      {features.map(({ MoreItems }, index) => MoreItems && <MoreItems key={index} />)}
      {document.fullscreenEnabled && <FullScreenItem />}
      {hasKeys && (
        <MenuItem icon={<Keyboard aria-hidden />} action="shortcuts" onChoose={onShortcuts}>
          {t('controls.shortcuts')}
        </MenuItem>
      )}
    </>
  );
  const control = (action: Action) => {
    const { id, Control: Own } = action;
    if (dropped.has(id)) return null;
    return Own ? <Own key={id} /> : <Control key={id} action={action} />;
  };
  const moreBadge = tabs.flatMap(({ id, badge }) => (dropped.has(id) ? (badge ?? []) : []))[0];
  return (
    <section ref={bar} className="bar" aria-label={t('controls.label')}>
      <div className="bar-own">
        {own.map(control)}
        <Menu label={t('controls.more')} items={more} className="control more" action="more">
          <span className="control-icon">
            <Ellipsis aria-hidden />
            {moreBadge && <span className="badge">{moreBadge.content}</span>}
          </span>
          <span className="control-label">{t('controls.more')}</span>
        </Menu>
      </div>
      <div className="bar-tabs">
        {tabs.map(control)}
        <LeaveControl />
      </div>
    </section>
  );
}

/** Without hover there is a touch screen and, as a rule, no keyboard. */
const hasKeys = matchMedia('(hover: hover)').matches;

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

/** A button of the control bar with an icon above its label. `extra` is shown next to it, such as the choice of devices. */
function Control({ action }: { action: Action }) {
  const { id, icon: Icon, label, otherLabel, isOn, isPanel, isDanger, isDisabled, badge, extra, onPress } = action;
  const shortcut = useShortcutsEnabled() ? action.shortcut : undefined;
  return (
    <span className={`control-place${extra ? ' split' : ''}`}>
      <button
        type="button"
        className={`control${isDanger ? ' danger-text' : ''}`}
        data-action={id}
        data-on={isOn}
        // The label of any other action changes with its state, which a screen reader would contradict.
        aria-pressed={isPanel ? isOn : undefined}
        aria-disabled={isDisabled}
        aria-keyshortcuts={shortcut?.toUpperCase()}
        title={shortcut ? `${label} (${shortcut.toUpperCase()})` : label}
        onClick={() => !isDisabled && onPress()}
      >
        <span className="control-icon">
          <Icon aria-hidden />
          {badge && (
            <span className="badge" aria-hidden>
              {badge.content}
            </span>
          )}
        </span>
        <span className="control-label" data-other={otherLabel}>
          {label}
        </span>
        {badge && <span className="unseen">, {badge.text}</span>}
      </button>
      {extra}
    </span>
  );
}
