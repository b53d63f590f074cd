import './setup.css';
import { i18next } from '../i18n/index.js';
import german from '../i18n/de/setup.json';
import english from '../i18n/en/setup.json';

// All languages are loaded with the dialog, because these texts are few.
i18next.addResourceBundle('en', 'setup', english);
i18next.addResourceBundle('de', 'setup', german);

export { Setup } from './Setup.js';
