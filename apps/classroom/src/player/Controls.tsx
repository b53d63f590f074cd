import { useEffect, useRef, useState, useSyncExternalStore, type CSSProperties, type PointerEvent } from 'react';
import { Maximize, Minimize, Pause, PictureInPicture2, Play, RotateCcw, Volume1, Volume2, VolumeX, type LucideIcon } from 'lucide-react';
import { usePlayerContext, usePlayer } from './player.js';
import { formatTime } from './texts.js';
import { CaptionsMenu, QualityMenu, SpeedMenu } from './PlayerMenus.js';

function SeekBar() {
  const { player, texts } = usePlayerContext();
  const time = usePlayer((state) => state.time);
  const duration = usePlayer((state) => state.duration);
  const bufferedTo = usePlayer((state) => state.bufferedTo);
  const input = useRef<HTMLInputElement>(null);
  // While the user drags, the video keeps its position, because each seek would load data.
  const [dragged, setDragged] = useState<number>();
  const [pointed, setPointed] = useState<number>();
  useEffect(() => {
    const { current } = input;
    const commitSeek = () => {
      player.seek(Number(current?.value));
      setDragged(undefined);
    };
    current?.addEventListener('change', commitSeek);
    return () => current?.removeEventListener('change', commitSeek);
  }, [player]);
  const shown = dragged ?? time;
  const share = (seconds: number) => (duration > 0 ? Math.min(seconds / duration, 1) : 0);
  const label = dragged ?? pointed;
  const showPointedTime = ({ currentTarget, clientX, pointerType }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    if (pointerType === 'mouse') setPointed(Math.min(Math.max((clientX - left) / width, 0), 1) * duration);
  };
  const style = {
    '--played': share(shown),
    '--buffered': share(Math.max(bufferedTo, shown)),
    '--pointed': share(label ?? 0),
  } as CSSProperties;
  return (
    <div className="seek" style={style} onPointerMove={showPointedTime} onPointerLeave={() => setPointed(undefined)}>
      <span className="seek-track" />
      <input
        ref={input}
        type="range"
        className="slider seek-slider"
        aria-label={texts.seek}
        aria-valuetext={texts.of(formatTime(shown), formatTime(duration))}
        min={0}
        max={duration || 1}
        step="any"
        value={shown}
        disabled={duration === 0}
        onChange={(event) => setDragged(Number(event.target.value))}
        data-action="seek"
      />
      {label !== undefined && duration > 0 && <span className="seek-label">{formatTime(label)}</span>}
    </div>
  );
}

export function Controls() {
  const { player, texts } = usePlayerContext();
  const phase = usePlayer((state) => state.phase);
  const isFullscreen = useIsFullscreen();
  const hasVideo = usePlayer((state) => state.hasVideo);
  const [PlayIcon, playLabel] = { playing: [Pause, texts.pause] as const, ended: [RotateCcw, texts.replay] as const }[phase as string] ?? [
    Play,
    texts.play,
  ];
  const canPictureInPicture = hasVideo && document.pictureInPictureEnabled;
  return (
    <div className="controls">
      <SeekBar />
      <div className="controls-row">
        <IconButton icon={PlayIcon} label={playLabel} keys="K" action="play" onPress={() => player.toggle()} />
        <Volume />
        <Clock />
        <span className="controls-space" />
        <CaptionsMenu />
        <SpeedMenu />
        <QualityMenu />
        {canPictureInPicture && (
          <IconButton
            icon={PictureInPicture2}
            label={texts.pictureInPicture}
            action="picture"
            onPress={() => player.togglePictureInPicture()}
          />
        )}
        {hasFullscreen(player.video) && (
          <IconButton
            icon={isFullscreen ? Minimize : Maximize}
            label={isFullscreen ? texts.leaveFullscreen : texts.fullscreen}
            keys="F"
            action="fullscreen"
            onPress={() => toggleFullscreen(player.video)}
          />
        )}
      </div>
    </div>
  );
}

function Volume() {
  const { player, texts } = usePlayerContext();
  const volume = usePlayer((state) => (state.isMuted ? 0 : state.volume));
  const icon = volume === 0 ? VolumeX : volume < 0.5 ? Volume1 : Volume2;
  return (
    <div className="volume">
      <IconButton icon={icon} label={volume === 0 ? texts.unmute : texts.mute} keys="M" action="mute" onPress={() => player.toggleMute()} />
      <input
        type="range"
        className="slider volume-slider"
        aria-label={texts.volume}
        aria-valuetext={`${Math.round(volume * 100)} %`}
        min={0}
        max={1}
        step={0.05}
        value={volume}
        style={{ '--played': volume } as CSSProperties}
        onChange={(event) => player.setVolume(Number(event.target.value))}
      />
    </div>
  );
}

function Clock() {
  const time = usePlayer((state) => formatTime(state.time));
  const duration = usePlayer((state) => formatTime(state.duration));
  return (
    <span className="clock">
      {time} <span className="clock-of">/ {duration}</span>
    </span>
  );
}

interface IconButtonProps {
  icon: LucideIcon;
  label: string;
  keys?: string;
  action: string;
  onPress(): void;
}

function IconButton({ icon: Icon, label, keys, action, onPress }: IconButtonProps) {
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={label}
      aria-keyshortcuts={keys}
      title={keys ? `${label} (${keys})` : label}
      data-action={action}
      onClick={onPress}
    >
      <Icon aria-hidden />
    </button>
  );
}

/** On an iPhone, only the video element can be shown in full screen, with the system's controls. */
interface IosVideo extends HTMLVideoElement {
  webkitSupportsFullscreen?: boolean;
  webkitEnterFullscreen?(): void;
}

export const hasFullscreen = (video: IosVideo): boolean => document.fullscreenEnabled || (video.webkitSupportsFullscreen ?? false);

export function toggleFullscreen(video: IosVideo): void {
  if (document.fullscreenElement) void document.exitFullscreen();
  else if (document.fullscreenEnabled) document.documentElement.requestFullscreen().catch(() => undefined);
  else video.webkitEnterFullscreen?.();
}

export function useIsFullscreen(): boolean {
  return useSyncExternalStore(subscribe, () => document.fullscreenElement !== null);
}

function subscribe(listener: () => void): () => void {
  document.addEventListener('fullscreenchange', listener);
  return () => document.removeEventListener('fullscreenchange', listener);
}
