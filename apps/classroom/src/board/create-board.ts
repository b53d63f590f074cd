import type { ClassroomController } from '../app/classroom-controller.js';
import { addTexts } from '../i18n/index.js';
import { ClassBoard } from './class-board.js';
import de from './de.json';
import en from './en.json';

/** The board of a stay, with its texts. */
export function createBoard({ api, toasts, app }: ClassroomController): ClassBoard {
  addTexts('board', { en, de });
  return new ClassBoard({ api, toasts, session: () => app.get().session });
}
