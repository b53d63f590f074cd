import type { Track } from 'livekit-client';
import { Hand, MicOff, MonitorUp, Pin, Presentation } from 'lucide-react';
import { memo, useRef, useState, type CSSProperties, type ReactNode, useEffect, type RefObject } from 'react';
import { useTranslation } from '../i18n/index.js';
import { initialsOf, type Person } from '../media/people.js';
import { avatarColor, hueOf } from '@classroom/page/color';
import type { Rect } from './tile-layout.js';

/** The smallest height of a tile, in pixels, that has room for the menu button. */
const MIN_HEIGHT_FOR_MENU = 44;

interface TileProps {
  tileKey: string;
  person: Person;
  isScreen: boolean;
  track: Track | undefined;
  place: Rect;
  isHandRaised?: boolean;
  isPinned?: boolean;
  /** Whether a teacher shows the person to everyone. */
  isSpotlit?: boolean;
  /** Set by the recording: the tile shows the name without further text. */
  showsNamesOnly?: boolean;
  onPin?: ((key: string) => void) | undefined;
  menu?: ((person: Person, isScreen: boolean) => ReactNode) | undefined;
  /** What lies over a shared screen. */
  overScreen?: ((person: Person) => ReactNode) | undefined;
}

/** A face or a shared screen, in the class and in its recording. Data attributes hold what is needed to draw it. */
export const Tile = memo(
  ({ tileKey, person, isScreen, track, place, isHandRaised, isPinned, isSpotlit, showsNamesOnly, onPin, menu, overScreen }: TileProps) => {
    const { t } = useTranslation();
    const video = useRef<HTMLVideoElement>(null);
    const isStalled = useVideo(video, track, isScreen);
    const hue = hueOf(person.uid);
    const initials = initialsOf(person.name);
    const isMuted = person.microphone !== 'on' && !isScreen;
    const isSpeaking = person.isSpeaking && !isScreen;
    const isPoor = !isScreen && (person.quality === 'poor' || person.quality === 'lost');
    const name = isScreen
      ? t(person.isLocal ? 'tile.yourScreen' : 'tile.screen', { name: person.name })
      : person.isLocal && !showsNamesOnly
        ? t('tile.you', { name: person.name })
        : person.name;
    const kind = `tile${isScreen ? ' tile-screen' : ''}${person.isLocal && !isScreen ? ' tile-own' : ''}${place.width < 200 ? ' tile-small' : ''}`;
    return (
      <div
        className={kind}
        role="group"
        aria-label={name}
        style={
          {
            insetInlineStart: place.x,
            top: place.y,
            width: place.width,
            height: place.height,
            '--tile-width': `${place.width}px`,
          } as CSSProperties
        }
        data-uid={person.uid}
        data-tile={person.uid}
        data-kind={isScreen ? 'screen' : 'camera'}
        data-name={name}
        data-muted={isMuted}
        data-speaking={isSpeaking}
        data-initials={initials}
        data-hue={hue}
        data-picture={Boolean(track)}
        onDoubleClick={onPin && (() => onPin(tileKey))}
      >
        {!track && <Avatar person={person} initials={initials} hue={hue} />}
        <video ref={video} autoPlay playsInline muted hidden={!track} data-uid={person.uid} data-source={isScreen ? 'screen' : 'camera'} />
        {isStalled && track && <span className="tile-spinner" role="img" aria-label={t('tile.waiting')} />}
        {isScreen && track && overScreen?.(person)}
        {isHandRaised && (
          <span className="tile-hand" title={t('tile.hand')}>
            <Hand aria-hidden />
            <span className="unseen">{t('tile.hand')}</span>
          </span>
        )}
        <div className="tile-label">
          {isScreen && <MonitorUp aria-hidden />}
          {isPinned && <Pin aria-label={t('tile.pinned')} />}
          {isSpotlit && !showsNamesOnly && <Presentation role="img" aria-label={t('tile.spotlit')} />}
          <bdi className="tile-name">{name}</bdi>
          {isMuted && person.microphone !== 'none' && <MicOff className="tile-muted" aria-label={t('tile.muted')} role="img" />}
          {isPoor && !showsNamesOnly && <span className="tile-poor">{t('tile.poor')}</span>}
        </div>
        {place.height >= MIN_HEIGHT_FOR_MENU && menu?.(person, isScreen)}
      </div>
    );
  },
);

function Avatar({ person, initials, hue }: { person: Person; initials: string; hue: number }) {
  const [isBroken, setBroken] = useState(false);
  return (
    <span className="tile-avatar" style={{ background: avatarColor(hue) }} aria-hidden>
      {initials}
      {person.photoURL && !isBroken && <img src={person.photoURL} alt="" onError={() => setBroken(true)} />}
    </span>
  );
}

const CHECK_INTERVAL_MS = 1_000;

/**
 * Shows the track in the element with livekit-client's attach, which lets livekit-client know the needed size. Returns whether
 * no new frame arrived for a second; for a shared screen, whether no frame has arrived at all, because a still screen sends
 * none.
 */
export function useVideo(ref: RefObject<HTMLVideoElement | null>, track: Track | undefined, isScreen: boolean): boolean {
  const [isStalled, setStalled] = useState(false);
  useEffect(() => {
    const video = ref.current;
    if (!video || !track) return undefined;
    track.attach(video);
    let previousFrames = 0;
    const check = () => {
      if (document.hidden) return;
      const frames = video.getVideoPlaybackQuality().totalVideoFrames;
      setStalled(isScreen ? frames === 0 : frames === previousFrames);
      previousFrames = frames;
    };
    const timer = setInterval(check, CHECK_INTERVAL_MS);
    return () => {
      clearInterval(timer);
      track.detach(video);
      setStalled(false);
    };
  }, [ref, track, isScreen]);
  return isStalled;
}
