import {
  CaptureUpdateAction,
  Excalidraw,
  FONT_FAMILY,
  getCommonBounds,
  isInvisiblySmallElement,
  MainMenu,
  restoreElements,
} from '@excalidraw/excalidraw';
import '@excalidraw/excalidraw/index.css';
import type { OrderedExcalidrawElement } from '@excalidraw/excalidraw/element/types';
import type {
  AppState,
  BinaryFileData,
  ExcalidrawImperativeAPI,
  ExcalidrawInitialDataState,
  ExcalidrawProps,
} from '@excalidraw/excalidraw/types';
import { memo, useCallback, useEffect, useLayoutEffect, useMemo, useRef, type RefObject } from 'react';
import { useTranslation } from '../i18n/index.js';
import type { Size } from '../stage/tile-layout.js';
import { fit, SHEET, withSheet, type Area, type Viewport } from './page-fit.js';
import { PageScene, type Editor } from './page-scene.js';
import { PictureFiles } from './picture-files.js';
import { useBoard } from './use-board.js';
import { useNames } from './use-names.js';

/** What the participant draws with, which outlives a change of the page. */
export type Tools = Partial<AppState>;

/** Of the first page. A text is read on a phone, too. */
const FIRST_TOOLS: Tools = { currentItemFontSize: 28, currentItemFontFamily: FONT_FAMILY.Nunito, currentItemRoughness: 0 };

const KEPT = [
  'activeTool',
  'penMode',
  'currentItemStrokeColor',
  'currentItemBackgroundColor',
  'currentItemFillStyle',
  'currentItemStrokeWidth',
  'currentItemStrokeStyle',
  'currentItemRoughness',
  'currentItemOpacity',
  'currentItemFontFamily',
  'currentItemFontSize',
  'currentItemTextAlign',
  'currentItemRoundness',
  'currentItemStartArrowhead',
  'currentItemEndArrowhead',
  'currentItemArrowType',
] as const satisfies readonly (keyof AppState)[];

/** Nothing that stores, exports or calls a service: the board is the class's. */
const UI: ExcalidrawProps['UIOptions'] = {
  canvasActions: {
    changeViewBackgroundColor: false,
    clearCanvas: false,
    export: false,
    loadScene: false,
    saveToActiveFile: false,
    saveAsImage: false,
    toggleTheme: false,
  },
  tools: { image: false },
};

/** Pixels that the editor's tools cover. Where it is narrow, some of them are at its lower edge. */
const TOOLS = { top: 72, bottom: 8 };
const NARROW_TOOLS = { top: 72, bottom: 68 };
const NO_TOOLS = { top: 0, bottom: 0 };
/** Of the editor, by its own rule. */
const isNarrow = ({ width, height }: Size) => width < 730 || (height < 500 && width < 1_000);

interface Props {
  pageId: string;
  size: Size;
  mayDraw: boolean;
  isDark: boolean;
  hasSlide: boolean;
  fits: number;
  tools: RefObject<Tools>;
  onViewport(viewport: Viewport): void;
}

/** A page in Excalidraw's editor. */
export const Canvas = memo(({ pageId, size, mayDraw, isDark, hasSlide, fits, tools, onViewport }: Props) => {
  const { i18n } = useTranslation();
  const { board } = useBoard();
  const api = useRef<ExcalidrawImperativeAPI>(undefined);
  const ground = useRef<HTMLDivElement>(null);
  useNames(ground);
  const scene = useMemo(() => new PageScene(board, pageId, editorOf(api), mayDraw), [board, pageId, mayDraw]);
  const pictures = useMemo(
    () =>
      new PictureFiles({ find: board.slides.find, isOnSlide: hasSlide, add: (file) => api.current?.addFiles([file as BinaryFileData]) }),
    [board, hasSlide],
  );
  useEffect(() => () => pictures.stop(), [pictures]);
  const { fitted, fitNow, isFree, onScroll } = useFit(api, size, mayDraw);

  useLayoutEffect(() => {
    const remove = board.elementChanges.add((refused) => {
      scene.sync(refused);
      if (!mayDraw && !isFree.current) fitNow();
    });
    return () => {
      remove();
      scene.close();
    };
  }, [board, scene, mayDraw, fitNow, isFree]);
  useEffect(() => {
    isFree.current = false;
    fitNow();
  }, [fits, fitNow, isFree]);

  const onChange = useCallback<NonNullable<ExcalidrawProps['onChange']>>(
    (elements, state) => {
      scene.onChange(elements);
      pictures.load(elements);
      tools.current = Object.fromEntries(KEPT.map((key) => [key, state[key]]));
      onViewport({ scrollX: state.scrollX, scrollY: state.scrollY, zoom: state.zoom.value });
      // A library of others, and a converter that is not there.
      if (state.openSidebar || state.openDialog?.name === 'ttd')
        api.current?.updateScene({ appState: { openSidebar: null, openDialog: null }, captureUpdate: CaptureUpdateAction.NEVER });
    },
    [scene, pictures, tools, onViewport],
  );
  const onPointer = useCallback<NonNullable<ExcalidrawProps['onPointerUpdate']>>(
    ({ pointer: { tool, x, y }, button }) => {
      if (mayDraw && tool === 'laser' && button === 'down') board.point({ pageId, x, y });
    },
    [board, pageId, mayDraw],
  );
  const begin = useCallback((): ExcalidrawInitialDataState => {
    const { zoom, ...scroll } = fitted(SHEET);
    const appState = {
      ...FIRST_TOOLS,
      ...tools.current,
      ...scroll,
      zoom: { value: zoom },
      viewBackgroundColor: 'transparent',
    } as ExcalidrawInitialDataState['appState'];
    return { elements: scene.begin(), appState: appState ?? null };
    // The editor reads it once.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  return (
    // Letters choose tools here, and press no control of the class.
    <div ref={ground} className="board-canvas" onKeyDown={(event) => event.stopPropagation()}>
      <Excalidraw
        excalidrawAPI={(one) => (api.current = one)}
        initialData={begin}
        onChange={onChange}
        onScrollChange={onScroll}
        onPointerUpdate={onPointer}
        viewModeEnabled={!mayDraw}
        theme={isDark ? 'dark' : 'light'}
        langCode={i18n.language === 'de' ? 'de-DE' : 'en'}
        UIOptions={UI}
        handleKeyboardGlobally={false}
        autoFocus={false}
        validateEmbeddable={false}
        aiEnabled={false}
      >
        {/* Its button is not shown: all that it offers is elsewhere. */}
        <MainMenu />
      </Excalidraw>
    </div>
  );
});

/** Shows the whole page, as long as the participant has not moved it. */
function useFit(api: RefObject<ExcalidrawImperativeAPI | undefined>, size: Size, mayDraw: boolean) {
  const isFree = useRef(false);
  const last = useRef<Viewport>(undefined);
  const fitted = useCallback(
    (area: Area) => (last.current = fit(area, size, !mayDraw ? NO_TOOLS : isNarrow(size) ? NARROW_TOOLS : TOOLS)),
    [size, mayDraw],
  );
  const fitNow = useCallback(() => {
    const { current } = api;
    if (!current) return;
    // Who draws would be moved by their own stroke.
    const elements = mayDraw ? [] : current.getSceneElements();
    const area = elements.length > 0 ? withSheet(getCommonBounds(elements)) : SHEET;
    const { scrollX, scrollY, zoom } = fitted(area);
    const appState = { scrollX, scrollY, zoom: { value: zoom } } as Pick<AppState, 'scrollX' | 'scrollY' | 'zoom'>;
    current.updateScene({ appState, captureUpdate: CaptureUpdateAction.NEVER });
  }, [api, mayDraw, fitted]);
  const onScroll = useCallback<NonNullable<ExcalidrawProps['onScrollChange']>>((scrollX, scrollY, { value }) => {
    const { current } = last;
    const isSame =
      current && Math.abs(current.scrollX - scrollX) + Math.abs(current.scrollY - scrollY) < 1 && Math.abs(current.zoom - value) < 0.01;
    isFree.current = !isSame;
  }, []);
  return { fitted, fitNow, isFree, onScroll };
}

const editorOf = (api: RefObject<ExcalidrawImperativeAPI | undefined>): Editor<OrderedExcalidrawElement> => ({
  elements: () => api.current?.getSceneElementsIncludingDeleted() ?? [],
  replace: (elements) => api.current?.updateScene({ elements, captureUpdate: CaptureUpdateAction.NEVER }),
  busyIds: () => (api.current ? busyIn(api.current.getAppState()) : new Set()),
  restore: (element) => {
    try {
      return restoreElements([element as OrderedExcalidrawElement], null)[0];
    } catch {
      return undefined;
    }
  },
  isInvisible: isInvisiblySmallElement,
});

function busyIn(state: AppState): ReadonlySet<string> {
  const { newElement, multiElement, resizingElement, editingTextElement, editingLinearElement, selectedElementIds } = state;
  const isMoving = state.selectedElementsAreBeingDragged || state.isResizing || state.isRotating;
  const ids = [newElement?.id, multiElement?.id, resizingElement?.id, editingTextElement?.id, editingLinearElement?.elementId];
  return new Set([...ids, ...(isMoving ? Object.keys(selectedElementIds) : [])].filter((id) => id !== undefined));
}
