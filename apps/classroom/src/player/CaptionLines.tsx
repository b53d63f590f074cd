import { useEffect, useRef } from 'react';
import { usePlayerContext, usePlayer } from './player.js';

/** Captions drawn by the page: above the controls, scaled with the picture. */
export function CaptionLines() {
  const { player } = usePlayerContext();
  const caption = usePlayer((state) => state.caption);
  const lines = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { textTracks } = player.video;
    const draw = () => {
      const cues =
        caption === null
          ? []
          : [...textTracks].filter(({ mode }) => mode !== 'disabled').flatMap(({ activeCues }) => [...(activeCues ?? [])]);
      lines.current?.replaceChildren();
      for (const cue of cues) if (cue instanceof VTTCue) lines.current?.append(lineOf(cue));
    };
    const watched = new Set<TextTrack>();
    const watch = () => {
      for (const track of textTracks) {
        watched.add(track);
        track.addEventListener('cuechange', draw);
      }
      draw();
    };
    watch();
    textTracks.addEventListener('addtrack', watch);
    textTracks.addEventListener('change', draw);
    return () => {
      textTracks.removeEventListener('addtrack', watch);
      textTracks.removeEventListener('change', draw);
      for (const track of watched) track.removeEventListener('cuechange', draw);
    };
  }, [player, caption]);
  return <div ref={lines} className="caption-lines" data-captions={caption !== null} />;
}

function lineOf(cue: VTTCue): HTMLElement {
  const line = document.createElement('p');
  // The browser parses the cue: it yields text and formatting, but no markup that executes.
  line.append(cue.getCueAsHTML());
  return line;
}
