import type { Participant, Room, Track } from 'livekit-client';
import { Store } from '../store.js';
import { livekit } from './livekit.js';
import type { Quality, Role } from '@virtual-classroom/embed';

/** Recorders and agents are in the LiveKit room but are not participants of the class. */
export const isPerson = ({ kind }: Participant) => kind === livekit.ParticipantKind.STANDARD || kind === livekit.ParticipantKind.SIP;

export interface PeopleState {
  /** The local participant first, then in the order of joining. */
  people: readonly Person[];
  /** The local participant, if visible in the room. */
  self: Person | undefined;
}

/** The delay of an update while the browser draws no frames, such as in a background tab, in milliseconds. */
const HIDDEN_MS = 250;

/**
 * The participants in class. However many events LiveKit fires, there is at most one update per frame, and an unchanged person
 * stays the same object.
 */
export class People extends Store<PeopleState> {
  private room: Room | undefined;
  private isScheduled = false;
  private isFrozen = false;

  /** @param isShown leaves out participants for whom it is false */
  constructor(private readonly isShown: (participant: Participant) => boolean = () => true) {
    super({ people: [], self: undefined });
  }

  attachRoom(room: Room | undefined): void {
    this.room = room;
    this.isFrozen = false;
    this.update();
  }

  /** Keeps the list as it is while the connection is lost. */
  freeze(): void {
    this.isFrozen = true;
  }

  readonly scheduleUpdate = (): void => {
    if (this.isScheduled) return;
    this.isScheduled = true;
    if (document.hidden) setTimeout(this.update, HIDDEN_MS);
    else requestAnimationFrame(this.update);
  };

  private readonly update = (): void => {
    this.isScheduled = false;
    if (this.isFrozen) return;
    const before = this.get();
    const known = new Map(before.people.map((person) => [person.uid, person]));
    const people = participantsOf(this.room)
      .filter(this.isShown)
      .map((participant) => {
        const person = toPerson(participant);
        const old = known.get(person.uid);
        return old && isSamePerson(old, person) ? old : person;
      });
    if (people.length === before.people.length && people.every((person, i) => person === before.people[i])) return;
    this.set({ people, self: people.find(({ isLocal }) => isLocal) });
  };
}

function participantsOf(room: Room | undefined): Participant[] {
  if (!room) return [];
  const others = [...room.remoteParticipants.values()]
    .filter(isPerson)
    .sort((a, b) => (a.joinedAt?.getTime() ?? 0) - (b.joinedAt?.getTime() ?? 0));
  return isPerson(room.localParticipant) ? [room.localParticipant, ...others] : others;
}

/** A person in class, as the page shows it. An unchanged person is the same object after an update. */
export interface Person {
  uid: string;
  name: string;
  role: Role;
  /** At our own origin. */
  photoURL: string | null;
  isLocal: boolean;
  isSpeaking: boolean;
  /** `none`: the person may not publish, so there is no microphone to turn on. */
  microphone: 'on' | 'muted' | 'none';
  camera: Track | undefined;
  screen: Track | undefined;
  quality: Quality;
  /** Milliseconds since 1970, by the media server's clock. */
  joinedAt: number;
  /** Whether the person may publish audio or video, even if they do not. */
  mayPublish: boolean;
  /** Whether the person has published camera, microphone or screen, muted or not. */
  isPublishing: boolean;
  /** Since when the person is shown large to everyone, in milliseconds since 1970; 0 if not. */
  spotlitAt: number;
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
    photoURL: attributes['photo'] || null,
    isLocal: participant.isLocal,
    isSpeaking: participant.isSpeaking && participant.isMicrophoneEnabled,
    microphone: participant.isMicrophoneEnabled ? 'on' : permissions?.canPublish ? 'muted' : 'none',
    camera: live(livekit.Track.Source.Camera),
    screen: live(livekit.Track.Source.ScreenShare),
    quality: participant.connectionQuality,
    joinedAt: participant.joinedAt?.getTime() ?? 0,
    mayPublish: permissions?.canPublish ?? false,
    isPublishing: participant.trackPublications.size > 0,
    spotlitAt: Number(attributes['spotlit'] ?? 0) || 0,
  };
}

/** Whom a teacher shows to everyone: the latest. */
export const spotlitOf = (people: readonly Person[]): Person | undefined =>
  people.reduce<Person | undefined>((latest, person) => (person.spotlitAt > (latest?.spotlitAt ?? 0) ? person : latest), undefined);

/** Students vote; who manages others asks. */
export const votersOf = (people: readonly Person[]): number => people.filter(({ role }) => role === 'STUDENT').length;

export function isSamePerson(a: Person, b: Person): boolean {
  return (Object.keys(a) as (keyof Person)[]).every((key) => a[key] === b[key]);
}

/** The first letters of the first and the last word. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return ends
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
}
