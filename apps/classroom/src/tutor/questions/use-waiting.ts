import { useSyncExternalStore } from 'react';
import { useVisit } from '../../app/context.js';
import { useRights } from '../../app/rights.js';
import type { QuestionsState } from '../../class/waiting-questions.js';

const nobody = () => () => undefined;

/** The waiting questions, requested while this component is mounted; for participants who may answer them. */
export function useWaiting(): QuestionsState {
  const { waiting } = useVisit();
  const { manageParticipants } = useRights();
  return useSyncExternalStore(manageParticipants ? waiting.watch : nobody, waiting.get);
}
