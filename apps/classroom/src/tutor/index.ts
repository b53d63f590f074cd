import './tutor.css';
import { i18next } from '../i18n/index.js';
import message from '../i18n/en/tutor.json';

// Other languages load these texts at the start of the page. English is the fallback for missing ones.
i18next.addResourceBundle('en', 'tutor', message);

export { TutorPanel } from './TutorPanel.js';
