import { createStoredStore } from '../store/stored-store.js';

/** Whether this participant is notified while the page is hidden, and hears a sound where the browser shows no notification. */
export const notificationSetting = createStoredStore('classroom.notifications', { isOn: false, hasSound: true });
