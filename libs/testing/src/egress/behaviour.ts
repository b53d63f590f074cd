/** How a simulated engine works, and its deliberate faults. A change applies to captures that begin after it. */
export interface Behaviour {
  /** Maximum number of simultaneous captures; 0: there is no recorder. */
  slots: number;
  /** The engine is unreachable: it receives and answers nothing. */
  isUnreachable: boolean;
  /** How long it takes to answer that no recorder is free; LiveKit without an egress worker takes 21 s. Egress only. */
  refusesAfterMs: number;
  /** Delay before a start is accepted, in milliseconds. */
  acceptsAfterMs: number;
  /** A start is carried out, but its answer is lost. */
  losesAnswers: boolean;
  /** Milliseconds from the start to the first frame; null: it never comes. */
  activeAfterMs: number | null;
  /** Milliseconds from the stop to the file. */
  endsAfterMs: number;
  /** The upload to the storage fails. */
  failsUpload: boolean;
  /** Milliseconds from the report of the end until the file exists. */
  uploadsAfterMs: number;
  /** Its events are lost. */
  isMute: boolean;
  /** The length in the film's own header, in seconds, independent of the clock. */
  filmSeconds: number;
}

export const DEFAULT_BEHAVIOUR: Readonly<Behaviour> = {
  slots: 20,
  isUnreachable: false,
  refusesAfterMs: 200,
  acceptsAfterMs: 0,
  losesAnswers: false,
  activeAfterMs: 150,
  endsAfterMs: 150,
  failsUpload: false,
  uploadsAfterMs: 0,
  isMute: false,
  filmSeconds: 7,
};
