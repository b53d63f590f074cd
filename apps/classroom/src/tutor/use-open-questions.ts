import { useSyncExternalStore } from 'react';
import { useClassroom } from '../app/context.js';
import { usePermissions } from '../app/context.js';
import type { QuestionsState } from './open-questions.js';

const noSubscription = () => () => undefined;

/** The waiting questions, requested while this component is mounted; for participants who may answer them. */
export function useOpenQuestions(): QuestionsState {
  const { openQuestions } = useClassroom();
  const { manageParticipants } = usePermissions();
  return useSyncExternalStore(manageParticipants ? openQuestions.subscribeAndPoll : noSubscription, openQuestions.get);
}
