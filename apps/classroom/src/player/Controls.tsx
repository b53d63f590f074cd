import { Maximize, Minimize, Pause, PictureInPicture2, Play, RotateCcw, Volume1, Volume2, VolumeX, type LucideIcon } from 'lucide-react';
import { type CSSProperties, useSyncExternalStore } from 'react';
import { CaptionsMenu, QualityMenu, SpeedMenu } from './PlayerMenus.js';
import { usePlayerContext, usePlayer } from './player.js';
import { SeekBar } from './SeekBar.js';
import { formatTime } from './texts.js';

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
