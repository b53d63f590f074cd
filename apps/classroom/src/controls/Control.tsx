import type { ReactNode } from 'react';
import { useShortcutsEnabled } from './shortcut-setting.js';
import type { Action } from './action.js';

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
