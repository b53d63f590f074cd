import { CaptureUpdateAction, Excalidraw } from '@excalidraw/excalidraw';
import '@excalidraw/excalidraw/index.css';
import type { OrderedExcalidrawElement } from '@excalidraw/excalidraw/element/types';
import type { AppState, ExcalidrawImperativeAPI } from '@excalidraw/excalidraw/types';
import { memo, useCallback, useEffect, useRef } from 'react';
import type { Viewport } from '../board/page-fit.js';
import { DRAWN } from './capture/protocol.js';

interface Props {
  elements: readonly OrderedExcalidrawElement[];
  viewport: Viewport;
}

type Scroll = Pick<AppState, 'scrollX' | 'scrollY' | 'zoom'>;
const scrollOf = ({ scrollX, scrollY, zoom }: Viewport) => ({ scrollX, scrollY, zoom: { value: zoom } }) as Scroll;

/** Milliseconds after which the canvas is painted for certain, also on a busy machine. */
const PAINTED_MS = 300;

/** What is drawn on a page, in Excalidraw's editor without its tools. */
export const Drawing = memo(({ elements, viewport }: Props) => {
  const api = useRef<ExcalidrawImperativeAPI>(undefined);
  const isOpen = useRef(false);
  const latest = useRef({ elements, viewport });
  latest.current = { elements, viewport };
  const announce = useAnnouncement();

  const show = useCallback(() => {
    const { current } = latest;
    api.current?.updateScene({
      elements: current.elements,
      appState: scrollOf(current.viewport),
      captureUpdate: CaptureUpdateAction.NEVER,
    });
  }, []);
  useEffect(() => {
    if (isOpen.current) show();
  }, [elements, viewport, show]);
  const onChange = useCallback(() => {
    // What came while the editor opened is not in it yet.
    if (!isOpen.current) setTimeout(show);
    isOpen.current = true;
    announce();
  }, [show, announce]);

  return (
    <div className="board-canvas">
      <Excalidraw
        excalidrawAPI={(one) => (api.current = one)}
        initialData={{ elements, appState: { ...scrollOf(viewport), viewBackgroundColor: 'transparent' } }}
        onChange={onChange}
        viewModeEnabled
        theme="light"
        langCode="en"
        handleKeyboardGlobally={false}
        autoFocus={false}
        validateEmbeddable={false}
        aiEnabled={false}
      />
    </div>
  );
});

/** Tells who films that the canvas has changed: the editor reports a change before it paints it, and again when a font has arrived. */
function useAnnouncement(): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(() => {
    const tell = () => document.dispatchEvent(new Event(DRAWN));
    requestAnimationFrame(() => setTimeout(tell));
    clearTimeout(timer.current);
    timer.current = setTimeout(tell, PAINTED_MS);
  }, []);
}
