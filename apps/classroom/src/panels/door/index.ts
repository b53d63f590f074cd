import './door.css';
import { i18next } from '../../i18n/index.js';
import german from '../../i18n/de/door.json';
import english from '../../i18n/en/door.json';

// All languages are loaded with the dialog, because these texts are few.
i18next.addResourceBundle('en', 'door', english);
i18next.addResourceBundle('de', 'door', german);

export { ClassSettings } from './ClassSettings.js';
