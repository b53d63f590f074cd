import { usePermissions } from '../app/permissions.js';
import { DialoguePanel } from './dialogue/DialoguePanel.js';
import { QuestionsPanel } from './questions/QuestionsPanel.js';

/** Students ask the tutor; teachers see the questions that are left for them. */
export function TutorPanel() {
  const { manageParticipants } = usePermissions();
  return manageParticipants ? <QuestionsPanel /> : <DialoguePanel />;
}
