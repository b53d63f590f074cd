import { Bell, CircleDot, Ellipsis, Hand, Headphones, Keyboard, Maximize, Settings, SlidersHorizontal } from 'lucide-react';
import { useRef, type ReactNode } from 'react';
import { useApp, useClass, useClassroom, usePermissions } from '../app/context.js';
import type { Emoji } from '../session/session.js';
import { useTranslation } from '../i18n/index.js';
import { ReactionItems, ReactionPicker } from '../reactions/Reactions.js';
import { useUnread } from '../chat/unread.js';
import { useOpenQuestions } from '../tutor/use-open-questions.js';
import './controls.css';
import { DeviceMenu } from '../devices/DeviceMenu.js';
import { LeaveControl } from './LeaveControl.js';
import { Menu, MenuItem } from '../ui/Menu.js';
import type { Action } from './action.js';
import { useDropped } from './drop-order.js';
import { useShortcutsEnabled } from './shortcuts.js';

interface ControlBarProps {
  own: Action[];
  tabs: Action[];
  onClassSettings(): void;
  onSettings(): void;
  onShortcuts(): void;
}

export function ControlBar({ own, tabs, onClassSettings, onSettings, onShortcuts }: ControlBarProps) {
  const { t } = useTranslation();
  const { actions, app, api, consent } = useClassroom();
  const { camera, changeRoom, manageParticipants, microphone } = usePermissions();
  const hasConsent = useApp((app) => app.session?.consent !== undefined);
  const badges = useBadges();
  const bar = useRef<HTMLElement>(null);
  const dropped = useDropped(bar, [...own, ...tabs]);
  const react = (emoji: Emoji) => void actions.run(() => api.sendReaction({ emoji }), 'toast.actionFailed');
  const more = (
    <>
      {[...own, ...tabs]
        .filter(({ id, isDisabled }) => dropped.has(id) && !isDisabled)
        .map(({ id, icon: Icon, label, isDanger, onPress }) =>
          id === 'reactions' ? (
            <ReactionItems key={id} onReact={react} />
          ) : (
            <MenuItem key={id} icon={<Icon aria-hidden />} isDanger={isDanger ?? false} action={id} onChoose={onPress}>
              {label}
            </MenuItem>
          ),
        )}
      {manageParticipants && (
        <MenuItem icon={<SlidersHorizontal aria-hidden />} action="class-settings" onChoose={onClassSettings}>
          {t('controls.classSettings')}
        </MenuItem>
      )}
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
        {t(camera || microphone ? 'controls.setup' : 'controls.setupSound')}
      </MenuItem>
      <MenuItem icon={<Bell aria-hidden />} action="notifications" onChoose={() => app.set({ dialog: 'notifications' })}>
        {t('controls.notifications')}
      </MenuItem>
      {document.fullscreenEnabled && <FullScreenItem />}
      {hasKeys && (
        <MenuItem icon={<Keyboard aria-hidden />} action="shortcuts" onChoose={onShortcuts}>
          {t('controls.shortcuts')}
        </MenuItem>
      )}
    </>
  );
  const control = (action: Action) => {
    const { id } = action;
    if (dropped.has(id)) return null;
    if (id === 'reactions') return <ReactionPicker key={id} api={api} />;
    const extra = id === 'microphone' || id === 'camera' ? <DeviceMenu device={id} /> : undefined;
    return <Control key={id} action={action} badge={badges[id]} extra={extra} />;
  };
  const moreBadge = tabs.flatMap(({ id }) => (dropped.has(id) ? (badges[id] ?? []) : []))[0];
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

/** What waits behind the tabs. A raised hand shows as one, because a teacher cannot see the students. */
function useBadges(): Record<string, Badge | undefined> {
  const { t } = useTranslation();
  const { classStore } = useClassroom();
  const { manageParticipants } = usePermissions();
  const tab = useApp((app) => app.tab);
  const self = useApp(({ session }) => session?.participant.uid);
  const [hands, waiting] = [useClass((state) => state.hands.length), useClass((state) => state.waiting.length)];
  const place = useClass((state) => state.hands.findIndex(({ uid }) => uid === self) + 1);
  const unread = useUnread(classStore, tab === 'chat');
  const questions = useOpenQuestions().questions.length;
  const badge = (count: number, texts: (string | false)[], icon?: ReactNode): Badge | undefined =>
    count === 0 ? undefined : { content: [icon, count > 99 ? '99+' : count], text: texts.filter(Boolean).join(', ') };
  return {
    chat: badge(unread, [t('panels:tab.count.chat', { count: unread })]),
    people: !manageParticipants
      ? undefined
      : badge(
          hands + waiting,
          [hands > 0 && t('controls.badge.hands', { count: hands }), waiting > 0 && t('controls.badge.waiting', { count: waiting })],
          hands > 0 && <Hand key="hand" aria-hidden />,
        ),
    // Who waits alone needs no place.
    hand: badge(hands > 1 ? place : 0, [t('controls.badge.place', { place })]),
    tutor: badge(questions, [t('panels:tab.count.tutor', { count: questions })]),
  };
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

export interface Badge {
  content: ReactNode;
  /** For screen readers. */
  text: string;
}

/** A button of the control bar with an icon above its label. `extra` is shown next to it, such as the choice of devices. */
export function Control({ action, badge, extra }: { action: Action; badge?: Badge | undefined; extra?: ReactNode }) {
  const { id, icon: Icon, label, otherLabel, isOn, isPanel, isDanger, isDisabled, onPress } = action;
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
