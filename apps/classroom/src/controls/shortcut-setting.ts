import { useStore } from '../store/store.js';
import { createStoredStore } from '../store/stored-store.js';

/** Whether letter keys press controls. Users of speech input turn it off, because it types letters. */
const setting = createStoredStore('classroom.shortcuts', { isOn: true });

export const areShortcutsEnabled = (): boolean => setting.get().isOn;

export const useShortcutsEnabled = (): boolean => useStore(setting, ({ isOn }) => isOn);

export const setShortcutsEnabled = (isOn: boolean): void => setting.set({ isOn });
