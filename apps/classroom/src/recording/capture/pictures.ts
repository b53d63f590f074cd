import { placeInBox, type Box, type CanvasContext, type Item } from './scene.js';

/** `ground`: the color of the area that a contained picture leaves free. */
export function videoItem(video: HTMLVideoElement, box: Box, fit: string, ground: string): Item {
  let drawn = -1;
  return {
    box,
    // Cameras deliver fewer frames than the recording has, and drawing a video is the most expensive part of a frame.
    hasNewFrame: () => framesOf(video) !== drawn,
    draw: (context) => {
      drawn = framesOf(video);
      const placed = placeInBox(video.videoWidth, video.videoHeight, box, fit);
      if (!placed || video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return;
      context.globalAlpha = 1;
      if (placed.target !== box) {
        context.fillStyle = ground;
        context.fillRect(box.x, box.y, box.width, box.height);
      }
      drawPlaced(context, video, placed.source, placed.target);
    },
  };
}

const framesOf = (video: HTMLVideoElement) => video.getVideoPlaybackQuality().totalVideoFrames;

/**
 * Draws a copy of the image that was loaded with CORS: after drawing an image without CORS, the browser delivers no more frames
 * of the canvas.
 */
export function imageItem(image: HTMLImageElement, box: Box, fit: string, opacity: number, clipPath: Path2D | undefined): Item {
  const copy = copyOf(image.currentSrc || image.src);
  return {
    box,
    draw: (context) => {
      const placed = placeInBox(copy.naturalWidth, copy.naturalHeight, box, fit);
      if (!placed || !copy.complete) return;
      context.save();
      if (clipPath) context.clip(clipPath);
      context.globalAlpha = opacity;
      drawPlaced(context, copy, placed.source, placed.target);
      context.restore();
    },
  };
}

/** A canvas as it is when the page is drawn. */
export function canvasItem(canvas: HTMLCanvasElement, box: Box, opacity: number, clipPath: Path2D | undefined): Item {
  return {
    box,
    draw: (context) => {
      if (canvas.width === 0 || canvas.height === 0) return;
      context.save();
      if (clipPath) context.clip(clipPath);
      context.globalAlpha = opacity;
      context.drawImage(canvas, box.x, box.y, box.width, box.height);
      context.restore();
    },
  };
}

const copies = new Map<string, HTMLImageElement>();

function copyOf(source: string): HTMLImageElement {
  const known = copies.get(source);
  if (known) return known;
  const copy = new Image();
  copy.crossOrigin = 'anonymous';
  // The layout watch receives this event on the document.
  copy.addEventListener('load', () => document.dispatchEvent(new Event('load')));
  copy.src = source;
  copies.set(source, copy);
  return copy;
}

function drawPlaced(context: CanvasContext, picture: CanvasImageSource, source: Box, target: Box): void {
  context.drawImage(picture, source.x, source.y, source.width, source.height, target.x, target.y, target.width, target.height);
}
