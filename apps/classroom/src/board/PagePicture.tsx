import { useState } from 'react';
import { inWindow, onSheet, type Viewport } from './page-fit.js';
import type { Slide } from './use-slide.js';

interface Props {
  slide: Slide;
  viewport: Viewport;
  /** For screen readers. */
  alt: string;
  /** The whole picture is there. */
  onLoad?(): void;
}

/** The page of a document on the paper, below what is drawn. It moves and grows with it. A small picture comes first. */
export function PagePicture({ slide: { page, attempt, isFailed, onBroken }, viewport, alt, onLoad }: Props) {
  const [loadedUrl, setLoadedUrl] = useState<string>();
  if (!page || isFailed) return null;
  const isLoaded = loadedUrl === page.url;
  return (
    <div className="board-slide" style={inWindow(onSheet(page), viewport)} data-slide={isLoaded ? 'whole' : 'loading'}>
      {!isLoaded && <img src={page.previewUrl} alt="" draggable={false} />}
      <img
        key={attempt}
        src={page.url}
        alt={alt}
        draggable={false}
        hidden={!isLoaded}
        onLoad={() => {
          setLoadedUrl(page.url);
          onLoad?.();
        }}
        onError={onBroken}
      />
    </div>
  );
}
