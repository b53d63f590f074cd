import { useSyncExternalStore } from 'react';
import { useVisit } from '../../app/context.js';
import { useRights } from '../../app/rights.js';
import type { QuestionsState } from '../../class/waiting-questions.js';

const nobody = () => () => undefined;

/** Whoever may answer sees what waits, and has it asked for as long as this is drawn. */
export function useWaiting(): QuestionsState {
  const { waiting } = useVisit();
  const { manageParticipants } = useRights();
  return useSyncExternalStore(manageParticipants ? waiting.watch : nobody, waiting.get);
}
