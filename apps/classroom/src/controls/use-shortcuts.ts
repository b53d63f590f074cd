import { useEffect, useRef } from 'react';
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
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing || isBusy(event.target)) return;
      if (!areShortcutsEnabled()) return;
      if (event.key === '?') return latest.current.onHelp();
      const action = latest.current.actions.find(({ shortcut }) => shortcut === event.key.toLowerCase());
      if (!action) return;
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
