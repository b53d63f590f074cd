import './tutor.css';
import { i18next } from '../i18n/index.js';
import message from '../i18n/tutor.en.json';
import { usePermissions } from '../app/context.js';
import { DialoguePanel } from './DialoguePanel.js';
import { QuestionsPanel } from './QuestionsPanel.js';

// Other languages load these texts at the start of the page. English is the fallback for missing ones.
i18next.addResourceBundle('en', 'tutor', message);

/** Students ask the tutor; teachers see the questions that are left for them. */
export function TutorPanel() {
  const { manageParticipants } = usePermissions();
  return manageParticipants ? <QuestionsPanel /> : <DialoguePanel />;
}
