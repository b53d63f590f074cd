/** The service's responses, as far as this client reads them. A spec checks them against the service's contract. */
export interface Permissions {
  /** Camera and microphone. */
  publish: boolean;
  /** The microphone; absent: as `publish`. */
  publishAudio?: boolean;
  /** The camera; absent: as `publish`. */
  publishVideo?: boolean;
  raiseHand: boolean;
  react: boolean;
  answerPolls: boolean;
  shareScreen: boolean;
  manageParticipants: boolean;
  startRecording: boolean;
  stopRecording: boolean;
  endClass: boolean;
  changeRoom: boolean;
  managePolls: boolean;
  /** Absent: a service without a board. */
  draw?: boolean;
  manageBoard?: boolean;
  chat: boolean;
  ai: boolean;
}

export interface ClassroomSession {
  livekitUrl: string;
  livekitToken: string;
  /** Bearer token for the other requests to `/v1/classroom`. */
  classroomToken: string;
  /** When the classroom token expires, in ISO 8601. */
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
  /** Present while the participant is in the waiting room. */
  admission?: { state: string };
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

/** What changed after version `base` up to `version`. Unchanged parts are left out. */
export interface ClassUpdate {
  base: number;
  version: number;
  removals?: Removal[];
  recording?: Recording | null;
  /** The update did not fit into one message; the client must request it. */
  isPartial?: boolean;
}

export interface ErrorBody {
  error: string;
  message: string;
  details?: { path: string; message: string }[];
}
