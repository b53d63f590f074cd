import type { Failure } from './failure.js';

interface Card {
  title: string;
  text: string;
}

const EN = {
  player: 'Video player',
  play: 'Play',
  pause: 'Pause',
  replay: 'Watch again',
  seek: 'Position',
  of: (time: string, duration: string) => `${time} of ${duration}`,
  volume: 'Volume',
  mute: 'Sound off',
  unmute: 'Sound on',
  speed: 'Speed',
  speedIs: (rate: string) => `Speed ${rate}`,
  quality: 'Quality',
  qualityIs: (quality: string) => `Quality ${quality}`,
  automatic: 'Auto',
  captions: 'Captions',
  captionsAre: (label: string) => `Captions: ${label}`,
  off: 'Off',
  captionsOff: 'Captions off',
  fullscreen: 'Full screen',
  leaveFullscreen: 'Leave full screen',
  pictureInPicture: 'Picture in picture',
  loading: 'Loading',
  lost: 'Connection lost. Trying again by itself…',
  back: 'Connection is back',
  again: 'Try again',
  audioOnly: 'Sound only',
  help: 'Keyboard',
  close: 'Close',
  keys: {
    toggle: 'Play or pause',
    five: 'Five seconds back or on',
    ten: 'Ten seconds back or on',
    volume: 'Louder or quieter',
    mute: 'Sound on or off',
    fullscreen: 'Full screen',
    captions: 'Captions on or off',
    rate: 'Slower or faster',
    tenths: 'To that many tenths of the video',
    help: 'These shortcuts',
  },
  failures: {
    'no-link': {
      title: 'There is no video in this link',
      text: 'It may have been cut off when it was copied. Open the video again from the page you came from.',
    },
    expired: {
      title: 'This link is too old or damaged',
      text: 'A link to a video works for one hour. Go back to the page you came from and open the video again.',
    },
    missing: {
      title: 'This video isn’t ready',
      text: 'It may still be in preparation, or it has been deleted. Try again in a few minutes.',
    },
    unsupported: { title: 'This browser can’t play this video', text: 'Try a current version of Chrome, Edge, Firefox or Safari.' },
    failed: {
      title: 'This video can’t be played',
      text: 'Something went wrong while it was loading. Try again; if that doesn’t help, tell the person who sent you the link.',
    },
  } satisfies Record<Failure, Card> as Record<Failure, Card>,
};

export type Texts = typeof EN;

const DE: Texts = {
  player: 'Videoplayer',
  play: 'Abspielen',
  pause: 'Anhalten',
  replay: 'Noch einmal ansehen',
  seek: 'Stelle im Video',
  of: (time, duration) => `${time} von ${duration}`,
  volume: 'Lautstärke',
  mute: 'Ton aus',
  unmute: 'Ton an',
  speed: 'Tempo',
  speedIs: (rate) => `Tempo ${rate}`,
  quality: 'Qualität',
  qualityIs: (quality) => `Qualität ${quality}`,
  automatic: 'Automatisch',
  captions: 'Untertitel',
  captionsAre: (label) => `Untertitel: ${label}`,
  off: 'Aus',
  captionsOff: 'Untertitel aus',
  fullscreen: 'Vollbild',
  leaveFullscreen: 'Vollbild verlassen',
  pictureInPicture: 'Bild im Bild',
  loading: 'Wird geladen',
  lost: 'Verbindung unterbrochen. Es geht von selbst weiter …',
  back: 'Die Verbindung ist wieder da',
  again: 'Erneut versuchen',
  audioOnly: 'Nur Ton',
  help: 'Tastatur',
  close: 'Schließen',
  keys: {
    toggle: 'Abspielen oder anhalten',
    five: 'Fünf Sekunden zurück oder vor',
    ten: 'Zehn Sekunden zurück oder vor',
    volume: 'Lauter oder leiser',
    mute: 'Ton an oder aus',
    fullscreen: 'Vollbild',
    captions: 'Untertitel an oder aus',
    rate: 'Langsamer oder schneller',
    tenths: 'Zu so vielen Zehnteln des Videos',
    help: 'Diese Übersicht',
  },
  failures: {
    'no-link': {
      title: 'In diesem Link steht kein Video',
      text: 'Vielleicht wurde er beim Kopieren abgeschnitten. Öffnen Sie das Video noch einmal von der Seite aus, von der Sie kommen.',
    },
    expired: {
      title: 'Dieser Link ist zu alt oder beschädigt',
      text: 'Ein Link zu einem Video gilt eine Stunde. Gehen Sie zurück zu der Seite, von der Sie kommen, und öffnen Sie das Video noch einmal.',
    },
    missing: {
      title: 'Dieses Video ist noch nicht bereit',
      text: 'Es wird vielleicht noch vorbereitet, oder es wurde gelöscht. Versuchen Sie es in ein paar Minuten noch einmal.',
    },
    unsupported: {
      title: 'Dieser Browser kann das Video nicht abspielen',
      text: 'Versuchen Sie es mit einer aktuellen Version von Chrome, Edge, Firefox oder Safari.',
    },
    failed: {
      title: 'Das Video lässt sich nicht abspielen',
      text: 'Beim Laden ist etwas schiefgegangen. Versuchen Sie es noch einmal; hilft das nicht, sagen Sie es der Person, von der Sie den Link haben.',
    },
  },
};

/** The texts of the first supported language in the list; otherwise English. */
export function textsFor(preferred: readonly string[]): { language: 'en' | 'de'; texts: Texts } {
  const language = preferred.map((tag) => tag.split('-')[0]).find((tag) => tag === 'en' || tag === 'de');
  return language === 'de' ? { language, texts: DE } : { language: 'en', texts: EN };
}

/** 65 → `1:05`, 3665 → `1:01:05`. */
export function formatTime(seconds: number): string {
  const whole = Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds)) : 0;
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const tail = String(rest).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`;
}

interface Ranges {
  length: number;
  start(index: number): number;
  end(index: number): number;
}

/** Up to which position the video can play from `time` without loading more, in seconds. */
export function bufferedEnd(ranges: Ranges, time: number): number {
  for (let at = 0; at < ranges.length; at++) {
    if (ranges.start(at) <= time + 0.1 && ranges.end(at) >= time) return ranges.end(at);
  }
  return time;
}
