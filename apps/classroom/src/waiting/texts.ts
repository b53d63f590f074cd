import { i18next } from '../i18n/index.js';
import german from '../i18n/de/waiting.json';
import english from '../i18n/en/waiting.json';

// All languages are loaded with the waiting room, because these texts are few.
i18next.addResourceBundle('en', 'waiting', english);
i18next.addResourceBundle('de', 'waiting', german);
