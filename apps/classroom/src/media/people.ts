import type { Participant, Room } from 'livekit-client';
import { Store } from '../store/store.js';
import { livekit } from './livekit.js';
import { isSamePerson, toPerson, type Person } from './person.js';

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
