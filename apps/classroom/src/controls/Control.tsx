import type { ReactNode } from 'react';
import { useShortcutsEnabled } from './shortcut-setting.js';
import type { Action } from './action.js';

/** A button of the control bar with an icon above its label. `extra` is shown next to it, such as the choice of devices. */
export function Control({ action, badge = 0, extra }: { action: Action; badge?: number; extra?: ReactNode }) {
  const { id, icon: Icon, label, isOn, isDanger, isSecondary, onPress } = action;
  const shortcut = useShortcutsEnabled() ? action.shortcut : undefined;
  const kind = `control-place${isSecondary ? ' rare' : ''}${extra ? ' split' : ''}`;
  return (
    <span className={kind}>
      <button
        type="button"
        className={`control${isDanger ? ' danger-text' : ''}`}
        data-action={id}
        data-on={isOn}
        aria-pressed={isOn}
        aria-keyshortcuts={shortcut?.toUpperCase()}
        title={shortcut ? `${label} (${shortcut.toUpperCase()})` : label}
        onClick={onPress}
      >
        <span className="control-icon">
          <Icon aria-hidden />
          {badge > 0 && <span className="badge">{badge > 99 ? '99+' : badge}</span>}
        </span>
        <span className="control-label">{label}</span>
      </button>
      {extra}
    </span>
  );
}
