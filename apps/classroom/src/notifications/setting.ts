import { createStoredStore } from '../store.js';

/**
 * Whether this participant is notified while the page is hidden, and hears a sound where the browser shows no notification. `hasHandSound`: whether
 * a raised hand is heard in class, for who manages others.
 */
export const notificationSetting = createStoredStore('classroom.notifications', { isOn: false, hasSound: true, hasHandSound: false });
