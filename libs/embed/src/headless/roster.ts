import type { ClassroomEvents, ParticipantData } from '../protocol.js';

export interface RosterListener {
  onJoined(participant: ParticipantData): void;
  onLeft(participant: ClassroomEvents['participant_left']): void;
}

/**
 * The other participants in class, across all connections of this client. A participant who is present before and after a
 * reconnection never left.
 */
export class Roster {
  private readonly present = new Map<string, ParticipantData>();
  private readonly removed = new Set<string>();
  private isInitialized = false;

  constructor(private readonly listener: RosterListener) {}

  list(): ParticipantData[] {
    return [...this.present.values()];
  }

  /** Takes the participants that a new connection found. The first connection reports none of them as joined. */
  setParticipants(participants: readonly ParticipantData[]): void {
    const uids = new Set(participants.map(({ uid }) => uid));
    for (const uid of [...this.present.keys()].filter((uid) => !uids.has(uid))) this.removeParticipant(uid);
    for (const participant of participants) {
      if (this.isInitialized) this.addParticipant(participant);
      else this.present.set(participant.uid, participant);
    }
    this.isInitialized = true;
  }

  addParticipant(participant: ParticipantData): void {
    const isNew = !this.present.has(participant.uid);
    this.present.set(participant.uid, participant);
    if (isNew) this.listener.onJoined(participant);
  }

  removeParticipant(uid: string): void {
    const participant = this.present.get(uid);
    if (!participant) return;
    this.present.delete(uid);
    this.listener.onLeft({ ...participant, reason: this.removed.delete(uid) ? 'removed' : 'left' });
  }

  /** The service reported that it removed this participant. LiveKit then reports that the participant left. */
  markRemoved(uid: string): void {
    if (this.present.has(uid)) this.removed.add(uid);
  }

  clear(): void {
    this.present.clear();
    this.removed.clear();
    this.isInitialized = false;
  }
}
