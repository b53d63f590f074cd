import { useEffect } from 'react';
import { useApp, useClassroom } from '../../app/context.js';
import { useStore } from '../../store/store.js';
import type { ClassroomController } from '../../app/classroom-controller.js';
import { AudioPlayer } from '../audio/audio-player.js';
import { TutorDialogue, type DialogueState } from './dialogue.js';

const dialogues = new WeakMap<ClassroomController, TutorDialogue>();

/** One dialogue per visit, however often its panel is opened. */
function getDialogue(classroom: ClassroomController): TutorDialogue {
  const known = dialogues.get(classroom);
  if (known) return known;
  const audioPlayer = new AudioPlayer((isPlaying) => dialogue.setPlaying(isPlaying));
  const dialogue: TutorDialogue = new TutorDialogue({
    api: classroom.api,
    stream: classroom.sessions.stream,
    audioPlayer,
    onTeacherAnswer: ({ name }) => classroom.toasts.showToast({ key: name ? 'tutor:teacherAnswered' : 'tutor:answered', values: { name } }),
  });
  dialogues.set(classroom, dialogue);
  return dialogue;
}

/** Loads the dialogue when the panel opens and after each reconnection; stops its sound when the panel closes. */
export function useDialogue(): { dialogue: TutorDialogue; state: DialogueState } {
  const dialogue = getDialogue(useClassroom());
  const isConnected = useApp((app) => app.state === 'connected');
  useEffect(() => (isConnected ? dialogue.open() : undefined), [dialogue, isConnected]);
  useEffect(() => () => dialogue.close(), [dialogue]);
  return { dialogue, state: useStore(dialogue, (state) => state) };
}
