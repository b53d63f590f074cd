import { useEffect } from 'react';
import { useApp, useVisit } from '../../app/context.js';
import { useStore } from '../../store/store.js';
import type { Visit } from '../../app/visit.js';
import { Loudspeaker } from '../sound/loudspeaker.js';
import { TutorDialogue, type DialogueState } from './dialogue.js';

const dialogues = new WeakMap<Visit, TutorDialogue>();

/** One dialogue per visit, however often its panel is opened. */
function dialogueOf(visit: Visit): TutorDialogue {
  const known = dialogues.get(visit);
  if (known) return known;
  const loudspeaker = new Loudspeaker((isPlaying) => dialogue.playing(isPlaying));
  const dialogue: TutorDialogue = new TutorDialogue({ api: visit.api, stream: visit.sessions.stream, loudspeaker });
  dialogues.set(visit, dialogue);
  return dialogue;
}

/** Loads the dialogue when the panel opens and after each reconnection; stops its sound when the panel closes. */
export function useDialogue(): { dialogue: TutorDialogue; state: DialogueState } {
  const dialogue = dialogueOf(useVisit());
  const isConnected = useApp((app) => app.state === 'connected');
  useEffect(() => (isConnected ? dialogue.open() : undefined), [dialogue, isConnected]);
  useEffect(() => () => dialogue.leave(), [dialogue]);
  return { dialogue, state: useStore(dialogue, (state) => state) };
}
