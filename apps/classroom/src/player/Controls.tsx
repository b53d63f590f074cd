import { Maximize, Minimize, Pause, PictureInPicture2, Play, RotateCcw, Volume1, Volume2, VolumeX, type LucideIcon } from 'lucide-react';
import type { CSSProperties } from 'react';
import { CaptionsMenu, QualityMenu, SpeedMenu } from './Choices.js';
import { useAround, usePlayer } from './context.js';
import { hasFullscreen, toggleFullscreen, useIsFullscreen } from './fullscreen.js';
import { SeekBar } from './SeekBar.js';
import { clockOf } from './time.js';

export function Controls() {
  const { player, words } = useAround();
  const phase = usePlayer((state) => state.phase);
  const isFullscreen = useIsFullscreen();
  const hasPicture = usePlayer((state) => state.hasPicture);
  const [PlayIcon, playLabel] = { playing: [Pause, words.pause] as const, ended: [RotateCcw, words.replay] as const }[phase as string] ?? [
    Play,
    words.play,
  ];
  const canFloat = hasPicture && document.pictureInPictureEnabled;
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
        {canFloat && (
          <IconButton icon={PictureInPicture2} label={words.inPicture} action="picture" onPress={() => player.togglePictureInPicture()} />
        )}
        {hasFullscreen(player.video) && (
          <IconButton
            icon={isFullscreen ? Minimize : Maximize}
            label={isFullscreen ? words.leaveFullscreen : words.fullscreen}
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
  const { player, words } = useAround();
  const volume = usePlayer((state) => (state.isMuted ? 0 : state.volume));
  const icon = volume === 0 ? VolumeX : volume < 0.5 ? Volume1 : Volume2;
  return (
    <div className="volume">
      <IconButton
        icon={icon}
        label={volume === 0 ? words.unmute : words.mute}
        keys="M"
        action="mute"
        onPress={() => player.toggleSound()}
      />
      <input
        type="range"
        className="slider volume-slider"
        aria-label={words.volume}
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
  const time = usePlayer((state) => clockOf(state.time));
  const duration = usePlayer((state) => clockOf(state.duration));
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
