import { Store, useStore } from '../store/store.js';

const STORAGE_KEY = 'classroom.shortcuts';

/**
 * Whether letter keys press controls. Users of speech input turn it off, because it types letters. Stored in this browser, if
 * it allows that.
 */
const setting = new Store({ isOn: loadSetting() });

export const areShortcutsEnabled = (): boolean => setting.get().isOn;

export const useShortcutsEnabled = (): boolean => useStore(setting, ({ isOn }) => isOn);

export function setShortcutsEnabled(isOn: boolean): void {
  setting.set({ isOn });
  try {
    localStorage.setItem(STORAGE_KEY, isOn ? 'on' : 'off');
  } catch {}
}

function loadSetting(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== 'off';
  } catch {
    return true;
  }
}
