import { Pencil, PencilOff, PenTool } from 'lucide-react';
import { useApp, usePart, usePeople, usePermissions } from '../app/context.js';
import type { Action, Feature } from '../app/feature.js';
import { useTranslation } from '../i18n/index.js';
import type { Person } from '../media/people.js';
import { useStore } from '../store.js';
import { screensOf } from '../stage/tiles.js';
import { LoadedPanel, useLoaded } from '../ui/LoadedPanel.js';
import { MenuItem } from '../ui/Menu.js';
import { BoardPart } from './board-part.js';

declare const EXCALIDRAW_FOLDER: string;

declare global {
  interface Window {
    EXCALIDRAW_ASSET_PATH?: string;
  }
}

/** Excalidraw finds its fonts there; its own default is a server of others. */
async function loadView() {
  window.EXCALIDRAW_ASSET_PATH = EXCALIDRAW_FOLDER;
  return (await import('./BoardView.js')).BoardView;
}

function useActions(): Action[] {
  const { t } = useTranslation();
  const { board, view } = useStore(usePart(BoardPart), (state) => state);
  const { manageBoard } = usePermissions();
  if (!manageBoard || !board) return [];
  const isShown = view?.isShown ?? false;
  return [
    {
      id: 'board',
      icon: PenTool,
      label: t(isShown ? 'board:hide' : 'board:show'),
      otherLabel: t(isShown ? 'board:show' : 'board:hide'),
      shortcut: 'b',
      isOn: isShown,
      onPress: () => void (isShown ? board.hide() : board.show()),
    },
  ];
}

function useMain() {
  const isShown = useStore(usePart(BoardPart), ({ view }) => view?.isShown ?? false);
  const isIn = useApp(({ state }) => state === 'connected' || state === 'reconnecting');
  return isShown && isIn ? <LoadedPanel load={loadView} className="board-loading" /> : undefined;
}

const loadOverlay = async () => (await import('./ScreenOverlay.js')).ScreenOverlay;

/** Pointers over the shared screen: a pointer has no name of a screen, so it is the newest. */
function OverScreen({ person }: { person: Person }) {
  const isNewest = usePeople(({ people }) => screensOf(people).at(-1)?.person.uid === person.uid);
  const isLoaded = useStore(usePart(BoardPart), ({ board }) => board !== undefined);
  return isNewest && isLoaded ? <LoadedOverlay /> : null;
}

function LoadedOverlay() {
  const { part: Overlay } = useLoaded(loadOverlay);
  return Overlay ? <Overlay /> : null;
}

/** Lets a person draw who may not by role, or no longer. */
function PersonItems({ person: { uid, role }, prefix }: { person: Person; prefix: string }) {
  const { t } = useTranslation();
  const { board, view } = useStore(usePart(BoardPart), (state) => state);
  const { manageBoard } = usePermissions();
  const isDrawer = view?.drawers.includes(uid) ?? false;
  if (!board || !manageBoard || (role !== 'STUDENT' && !isDrawer)) return null;
  return (
    <MenuItem
      icon={isDrawer ? <PencilOff aria-hidden /> : <Pencil aria-hidden />}
      action={`${prefix}${isDrawer ? 'stopDrawing' : 'letDraw'}`}
      onChoose={() => void board.allowToDraw(uid, !isDrawer)}
    >
      {t(isDrawer ? 'board:stopDrawing' : 'board:letDraw')}
    </MenuItem>
  );
}

/** A board on which who teaches draws, and whom they let draw. */
export const board: Feature = { Part: BoardPart, useActions, useMain, OverScreen, PersonItems };
