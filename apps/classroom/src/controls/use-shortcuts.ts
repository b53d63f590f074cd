import { useEffect, useRef } from 'react';
import { shortcutOf } from '@classroom/page/keys';
import { areShortcutsEnabled } from './shortcut-setting.js';
import type { Action } from './action.js';

/** Letter keys press their controls, unless the user turned them off, is typing, or a dialog or menu is open. */
export function useShortcuts(actions: readonly Action[], onHelp: () => void): void {
  const latest = useRef({ actions, onHelp });
  useEffect(() => {
    latest.current = { actions, onHelp };
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const key = shortcutOf(event);
      if (key === undefined || event.repeat || isBusy(event.target) || !areShortcutsEnabled()) return;
      if (key === '?') return latest.current.onHelp();
      const action = latest.current.actions.find(({ shortcut }) => shortcut === key);
      if (!action || action.isDisabled) return;
      event.preventDefault();
      action.onPress();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

function isBusy(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open], [popover]:popover-open')) return true;
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
}
