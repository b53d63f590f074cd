import './tutor.css';
import { i18next } from '../i18n/index.js';
import words from '../i18n/en/tutor.json';

// Readers of another language have theirs since the page began; these stand in for what is missing.
i18next.addResourceBundle('en', 'tutor', words);

export { TutorPanel } from './TutorPanel.js';
