import { useEffect, useRef, useState, type PointerEvent } from 'react';
import { CircleX, Clock, Link2Off, MonitorX, Music, Play, RotateCcw, WifiOff, type LucideIcon } from 'lucide-react';
import { usePlayerContext, usePlayer } from './player.js';
import type { Failure } from './failure.js';
import { Controls, toggleFullscreen } from './Controls.js';
import { type Command, useKeys } from './keys.js';
import { ShortcutsDialog } from './ShortcutsDialog.js';
import { useAnnouncement } from './use-announcement.js';

/** Captions drawn by the page: above the controls, scaled with the picture. */
function CaptionLines() {
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

const ICONS: Record<Failure, LucideIcon> = {
  'no-link': Link2Off,
  expired: Link2Off,
  missing: Clock,
  unsupported: MonitorX,
  failed: CircleX,
};
const RETRYABLE: readonly Failure[] = ['missing', 'failed'];

function FailureCard({ failure }: { failure: Failure }) {
  const { player, texts, title } = usePlayerContext();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [failure]);
  const Icon = ICONS[failure];
  return (
    <section className="failure">
      <div className="failure-card">
        <span className="failure-icon">
          <Icon aria-hidden />
        </span>
        <h1 ref={heading} tabIndex={-1}>
          {texts.failures[failure].title}
        </h1>
        <p className="quiet">{texts.failures[failure].text}</p>
        {RETRYABLE.includes(failure) && (
          <button type="button" className="button primary" data-action="again" onClick={() => void player.load()}>
            <RotateCcw aria-hidden />
            {texts.again}
          </button>
        )}
        {title && <p className="failure-video">{title}</p>}
      </div>
    </section>
  );
}

export function PlayerPage() {
  const { player, texts, title } = usePlayerContext();
  const phase = usePlayer((state) => state.phase);
  const failure = usePlayer((state) => state.failure);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const isActive = useActivity();
  const announcement = useAnnouncement();
  useRootAttributes();
  useKeys((command) => (failure ? undefined : command[0] === 'help' ? setHelpOpen(true) : runCommand(command)));
  const runCommand = ([name, value]: Command) => {
    const { store } = player;
    if (name === 'toggle') player.toggle();
    if (name === 'mute') player.toggleMute();
    if (name === 'captions') player.toggleCaptions();
    if (name === 'fullscreen') toggleFullscreen(player.video);
    if (name === 'seek-by') player.seekBy(value);
    if (name === 'seek-to-tenth') player.seek((store.get().duration * value) / 10);
    if (name === 'volume-by') player.setVolume((store.get().isMuted ? 0 : store.get().volume) + value);
    if (name === 'rate') player.stepRate(value);
  };
  return (
    <main className="player" aria-label={title || texts.player} data-bare={phase === 'playing' && !isActive}>
      <VideoSurface />
      {failure ? (
        <FailureCard failure={failure} />
      ) : (
        <>
          <CaptionLines />
          <AudioOnly />
          {title && <h1 className="player-title">{title}</h1>}
          <CenterOverlay />
          <Controls />
        </>
      )}
      {announcement && (
        <p className="said" aria-hidden>
          {announcement}
        </p>
      )}
      <div className="unseen" role="status">
        {announcement}
      </div>
      {isHelpOpen && <ShortcutsDialog onClose={() => setHelpOpen(false)} />}
    </main>
  );
}

/** A click plays or pauses; a tap on a touch screen only shows the controls. */
function VideoSurface() {
  const { player } = usePlayerContext();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.append(player.video), [player]);
  const press = ({ pointerType }: PointerEvent) => {
    if (pointerType === 'mouse') player.toggle();
  };
  return (
    <div
      ref={place}
      className="picture"
      onClick={(event) => press(event.nativeEvent as unknown as PointerEvent)}
      onDoubleClick={() => toggleFullscreen(player.video)}
    />
  );
}

function AudioOnly() {
  const { texts } = usePlayerContext();
  const isShown = usePlayer((state) => !state.hasVideo);
  if (!isShown) return null;
  return (
    <p className="sound-only">
      <Music aria-hidden />
      {texts.audioOnly}
    </p>
  );
}

/** The middle of the picture: the play button, or why the video does not play. */
function CenterOverlay() {
  const { player, texts } = usePlayerContext();
  const phase = usePlayer((state) => state.phase);
  const isWaiting = usePlayer((state) => state.isWaiting);
  const isOffline = usePlayer((state) => state.isOffline);
  if (isWaiting) {
    return (
      <div className="middle waiting" role="status">
        <span className="spinner" />
        {isOffline ? (
          <span className="waiting-words">
            <WifiOff aria-hidden />
            {texts.lost}
          </span>
        ) : (
          <span className="unseen">{texts.loading}</span>
        )}
      </div>
    );
  }
  if (phase !== 'ready' && phase !== 'ended') return null;
  const [Icon, label] = phase === 'ended' ? ([RotateCcw, texts.replay] as const) : ([Play, texts.play] as const);
  return (
    <div className="middle">
      <button
        type="button"
        className="big-button"
        aria-label={label}
        title={label}
        data-action={phase === 'ended' ? 'replay' : 'start'}
        onClick={() => player.play()}
      >
        <Icon aria-hidden />
      </button>
    </div>
  );
}

/** Writes the player's state to attributes of the root element, for styles and tests. */
function useRootAttributes(): void {
  const phase = usePlayer((state) => state.phase);
  const failure = usePlayer((state) => state.failure);
  const playing = usePlayer((state) => state.qualities.find(({ id }) => id === state.playing)?.label);
  useEffect(() => {
    Object.assign(document.documentElement.dataset, { state: phase, failure: failure ?? '', quality: playing ?? '' });
  }, [phase, failure, playing]);
}

const IDLE_MS = 3_000;
const ACTIVITY_EVENTS = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const;

/** False once the user has been inactive for a while. */
export function useActivity(): boolean {
  const [isActive, setActive] = useState(true);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const onActivity = () => {
      setActive(true);
      clearTimeout(timer);
      // An open menu counts as activity.
      timer = setTimeout(() => (document.querySelector('[popover]:popover-open') ? onActivity() : setActive(false)), IDLE_MS);
    };
    onActivity();
    for (const type of ACTIVITY_EVENTS) document.addEventListener(type, onActivity);
    return () => {
      clearTimeout(timer);
      for (const type of ACTIVITY_EVENTS) document.removeEventListener(type, onActivity);
    };
  }, []);
  return isActive;
}
