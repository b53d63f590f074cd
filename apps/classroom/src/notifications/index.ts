import './notifications.css';
import { i18next } from '../i18n/index.js';
import german from '../i18n/de/notifications.json';
import english from '../i18n/en/notifications.json';

// All languages are loaded with the dialog, because these texts are few.
i18next.addResourceBundle('en', 'notifications', english);
i18next.addResourceBundle('de', 'notifications', german);

export { follow } from './follow.js';
export { NotificationsDialog } from './NotificationsDialog.js';
