import type { ClassroomController, Part } from '../app/classroom-controller.js';
import { Listeners } from '../store.js';
import type { Person } from '../media/people.js';

export type ParticipantInfo = Pick<Person, 'uid' | 'name' | 'role'>;

export interface RosterListener {
  onJoined(participant: ParticipantInfo): void;
  onLeft(participant: ParticipantInfo): void;
}

/**
 * Reports who joins and who leaves. Call `update` only while connected: during a reconnection LiveKit reports that everybody
 * leaves and returns, which says nothing about the class.
 */
export class Roster {
  private knownParticipants: Map<string, ParticipantInfo> | undefined;

  constructor(private readonly listener: RosterListener) {}

  /** The participants of the first call are not reported as joined. */
  update(others: readonly ParticipantInfo[]): void {
    const before = this.knownParticipants;
    this.knownParticipants = new Map(others.map((participant) => [participant.uid, participant]));
    if (!before) return;
    for (const [uid, participant] of before) if (!this.knownParticipants.has(uid)) this.listener.onLeft(participant);
    for (const [uid, participant] of this.knownParticipants) if (!before.has(uid)) this.listener.onJoined(participant);
  }

  reset(): void {
    this.knownParticipants = undefined;
  }
}

/** Who joins and leaves during a stay. */
export class Attendance implements Part {
  readonly joined = new Listeners<[participant: ParticipantInfo]>();
  readonly left = new Listeners<[participant: ParticipantInfo]>();
  private readonly roster;

  constructor(private readonly classroom: ClassroomController) {
    this.roster = new Roster({
      onJoined: (participant) => {
        this.joined.notify(participant);
        classroom.toasts.announceNames('joined', [participant.name]);
      },
      onLeft: (participant) => this.left.notify(participant),
    });
    classroom.people.subscribe(() => this.onConnected());
  }

  onConnected(): void {
    const { app, people } = this.classroom;
    if (app.get().state === 'connected') this.roster.update(people.get().people.filter(({ isLocal }) => !isLocal));
  }

  onEnd(): void {
    this.roster.reset();
  }
}
