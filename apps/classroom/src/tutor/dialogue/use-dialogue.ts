import { useEffect } from 'react';
import { useApp, useVisit } from '../../app/context.js';
import { useStore } from '../../store/store.js';
import type { Visit } from '../../app/visit.js';
import { Loudspeaker } from '../sound/loudspeaker.js';
import { TutorDialogue, type DialogueState } from './dialogue.js';

const dialogues = new WeakMap<Visit, TutorDialogue>();

/** One dialogue a stay, whoever opens its panel and how often. */
function dialogueOf(visit: Visit): TutorDialogue {
  const known = dialogues.get(visit);
  if (known) return known;
  const loudspeaker = new Loudspeaker((isPlaying) => dialogue.playing(isPlaying));
  const dialogue: TutorDialogue = new TutorDialogue({ api: visit.api, stream: visit.sessions.stream, loudspeaker });
  dialogues.set(visit, dialogue);
  return dialogue;
}

/** Brought up to date by opening the panel and by every reconnection; falls silent when the panel closes. */
export function useDialogue(): { dialogue: TutorDialogue; state: DialogueState } {
  const dialogue = dialogueOf(useVisit());
  const isConnected = useApp((app) => app.state === 'connected');
  useEffect(() => (isConnected ? dialogue.open() : undefined), [dialogue, isConnected]);
  useEffect(() => () => dialogue.leave(), [dialogue]);
  return { dialogue, state: useStore(dialogue, (state) => state) };
}
