import './consent.css';
import { i18next } from '../i18n/index.js';
import german from '../i18n/de/consent.json';
import english from '../i18n/en/consent.json';

// All languages are loaded with the question, because these texts are few.
i18next.addResourceBundle('en', 'consent', english);
i18next.addResourceBundle('de', 'consent', german);

export { ConsentDialog } from './ConsentDialog.js';
