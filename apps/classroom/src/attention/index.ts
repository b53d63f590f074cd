import { i18next } from '../i18n/index.js';
import german from '../i18n/de/attention.json';
import english from '../i18n/en/attention.json';

// All languages are loaded with the notices, because these texts are few.
i18next.addResourceBundle('en', 'attention', english);
i18next.addResourceBundle('de', 'attention', german);

export { Attention } from './Attention.js';
