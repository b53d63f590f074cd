/** What the service answers, as far as this client reads it. A spec ties these to the service's own contract. */
export interface Permissions {
  publish: boolean;
  shareScreen: boolean;
  manageParticipants: boolean;
  startRecording: boolean;
  stopRecording: boolean;
  endClass: boolean;
  changeRoom: boolean;
  managePolls: boolean;
}

export interface ClassroomSession {
  livekitUrl: string;
  livekitToken: string;
  /** Bearer of the rest of `/v1/classroom`. */
  classroomToken: string;
  /** ISO 8601: when the classroom token runs out. */
  expiresAt: string;
  room: {
    roomId: string;
    sid: string;
    title: string;
    roomDescription: string | null;
    startedAt: string | null;
    maxParticipants: number;
    emptyTimeout: number;
  };
  participant: { uid: string; name: string; role: string; photoURL: string | null };
  permissions: Permissions;
}

export interface Removal {
  uid: string;
  name: string;
  role: string;
  removedAt: string;
}

export interface Recording {
  egressId: string;
  status: string;
}

/** What changed after version `base` up to `version`; what did not is left out. */
export interface ClassUpdate {
  base: number;
  version: number;
  removals?: Removal[];
  recording?: Recording | null;
  /** There is more than a message holds: to be asked for. */
  isPartial?: boolean;
}

export interface ErrorBody {
  error: string;
  message: string;
  details?: { path: string; message: string }[];
}
