import { place, type Box } from './box.js';
import type { Brush, Item } from './scene.js';

/** `ground` fills what a contained picture leaves free. */
export function videoItem(video: HTMLVideoElement, box: Box, fit: string, ground: string): Item {
  let drawn = -1;
  return {
    box,
    // Cameras give fewer frames than we film; drawing one is most of what a frame costs.
    hasNews: () => framesOf(video) !== drawn,
    draw: (brush) => {
      drawn = framesOf(video);
      const placed = place(video.videoWidth, video.videoHeight, box, fit);
      if (!placed || video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return;
      brush.globalAlpha = 1;
      if (placed.target !== box) {
        brush.fillStyle = ground;
        brush.fillRect(box.x, box.y, box.width, box.height);
      }
      drawPlaced(brush, video, placed.source, placed.target);
    },
  };
}

const framesOf = (video: HTMLVideoElement) => video.getVideoPlaybackQuality().totalVideoFrames;

/**
 * Drawn from a copy of our own that was loaded with CORS: one picture without it, and the browser gives no more frames
 * of the whole canvas.
 */
export function imageItem(image: HTMLImageElement, box: Box, fit: string, opacity: number, cut: Path2D | undefined): Item {
  const copy = copyOf(image.currentSrc || image.src);
  return {
    box,
    draw: (brush) => {
      const placed = place(copy.naturalWidth, copy.naturalHeight, box, fit);
      if (!placed || !copy.complete) return;
      brush.save();
      if (cut) brush.clip(cut);
      brush.globalAlpha = opacity;
      drawPlaced(brush, copy, placed.source, placed.target);
      brush.restore();
    },
  };
}

const copies = new Map<string, HTMLImageElement>();

function copyOf(source: string): HTMLImageElement {
  const known = copies.get(source);
  if (known) return known;
  const copy = new Image();
  copy.crossOrigin = 'anonymous';
  // Whoever watches the layout hears of it through the document.
  copy.addEventListener('load', () => document.dispatchEvent(new Event('load')));
  copy.src = source;
  copies.set(source, copy);
  return copy;
}

function drawPlaced(brush: Brush, picture: CanvasImageSource, source: Box, target: Box): void {
  brush.drawImage(picture, source.x, source.y, source.width, source.height, target.x, target.y, target.width, target.height);
}
