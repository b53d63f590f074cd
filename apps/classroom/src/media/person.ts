import type { Quality, Role } from '@virtual-classroom/embed';
import { Track, type Participant } from 'livekit-client';

/** A person in class, as everything on the page shows it. Equal persons are the same object from one change to the next. */
export interface Person {
  uid: string;
  name: string;
  role: Role;
  photoURL: string | null;
  isLocal: boolean;
  isSpeaking: boolean;
  /** `none`: has none to turn on. */
  microphone: 'on' | 'muted' | 'none';
  camera: Track | undefined;
  screen: Track | undefined;
  quality: Quality;
  /** Milliseconds since 1970, by the media server's clock. */
  joinedAt: number;
  /** May show or say something, whether or not it does. */
  mayPublish: boolean;
  /** Has camera, microphone or screen in the room, muted or not. */
  isPublishing: boolean;
}

const ROLES: readonly string[] = ['TEACHER', 'STUDENT', 'MODERATOR', 'ADMIN'] satisfies Role[];

export function toPerson(participant: Participant): Person {
  const live = (source: Track.Source) => {
    const publication = participant.getTrackPublication(source);
    return publication?.isMuted ? undefined : publication?.track;
  };
  const { attributes, permissions } = participant;
  return {
    uid: participant.identity,
    name: participant.name || participant.identity,
    role: ROLES.includes(attributes['role'] ?? '') ? (attributes['role'] as Role) : 'STUDENT',
    photoURL: attributes['photoURL'] || null,
    isLocal: participant.isLocal,
    isSpeaking: participant.isSpeaking && participant.isMicrophoneEnabled,
    microphone: participant.isMicrophoneEnabled ? 'on' : permissions?.canPublish ? 'muted' : 'none',
    camera: live(Track.Source.Camera),
    screen: live(Track.Source.ScreenShare),
    quality: participant.connectionQuality,
    joinedAt: participant.joinedAt?.getTime() ?? 0,
    mayPublish: permissions?.canPublish ?? false,
    isPublishing: participant.trackPublications.size > 0,
  };
}

export function isSame(a: Person, b: Person): boolean {
  return (Object.keys(a) as (keyof Person)[]).every((key) => a[key] === b[key]);
}

/** First letters of the first and the last word. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return ends
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
}
