import { ParticipantKind, type Participant, type Room } from 'livekit-client';
import { Store } from '../store/store.js';
import { isSame, toPerson, type Person } from './person.js';

/** Recorders and agents are in the room, not in the class. */
export const isPerson = ({ kind }: Participant) => kind === ParticipantKind.STANDARD || kind === ParticipantKind.SIP;

export interface PeopleState {
  /** Ourselves first, then in the order they came. */
  people: readonly Person[];
  /** Ourselves, where we stand in the room visibly. */
  self: Person | undefined;
}

/** Where no frame is drawn (a tab in the background), this long: milliseconds. */
const HIDDEN_MS = 250;

/** Who is in class. However many events LiveKit fires, there is one change a frame, and who did not change stays the same object. */
export class People extends Store<PeopleState> {
  private room: Room | undefined;
  private isAsked = false;
  private isHeld = false;

  constructor() {
    super({ people: [], self: undefined });
  }

  follow(room: Room | undefined): void {
    this.room = room;
    this.isHeld = false;
    this.update();
  }

  /** While the connection is lost, the class stands as it was last seen. */
  hold(): void {
    this.isHeld = true;
  }

  readonly changed = (): void => {
    if (this.isAsked) return;
    this.isAsked = true;
    if (document.hidden) setTimeout(this.update, HIDDEN_MS);
    else requestAnimationFrame(this.update);
  };

  private readonly update = (): void => {
    this.isAsked = false;
    if (this.isHeld) return;
    const before = this.get();
    const known = new Map(before.people.map((person) => [person.uid, person]));
    const people = participantsOf(this.room).map((participant) => {
      const person = toPerson(participant);
      const old = known.get(person.uid);
      return old && isSame(old, person) ? old : person;
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
