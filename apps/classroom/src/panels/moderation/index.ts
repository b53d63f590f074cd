import './moderation.css';
import { i18next } from '../../i18n/index.js';
import german from '../../i18n/de/moderation.json';
import english from '../../i18n/en/moderation.json';

// All languages are loaded with the chat, because these texts are few.
i18next.addResourceBundle('en', 'moderation', english);
i18next.addResourceBundle('de', 'moderation', german);

export { ChatSettings } from './ChatSettings.js';
export { ModeratedMessage } from './ModeratedMessage.js';
