import './opening.css';
import { i18next } from '../i18n/index.js';
import german from '../i18n/de/opening.json';
import english from '../i18n/en/opening.json';

// All languages are loaded with the screen, because these texts are few.
i18next.addResourceBundle('en', 'opening', english);
i18next.addResourceBundle('de', 'opening', german);

export { OpeningCard } from './OpeningCard.js';
