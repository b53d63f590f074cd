/** How a simulated engine does its work, and what it does wrong on purpose. Holds for what begins after it was set. */
export interface Behaviour {
  /** Captures it takes at once; 0: there is no recorder. */
  slots: number;
  /** It hears nothing and answers nothing. */
  isAway: boolean;
  /** How long it takes to say that nobody is free: LiveKit without an egress worker takes 21 s. Egress alone. */
  refusesAfterMs: number;
  /** A start is taken so late. */
  acceptsAfterMs: number;
  /** A start is carried out, and its answer gets lost. */
  losesAnswers: boolean;
  /** From the start to the first frame; null: it never comes. */
  activeAfterMs: number | null;
  /** From the stop to the file. */
  endsAfterMs: number;
  /** The storage takes nothing. */
  failsUpload: boolean;
  /** The file is there so long after its end was told. */
  uploadsAfterMs: number;
  /** Its events get lost. */
  isMute: boolean;
  /** What the film itself says of its length, whatever the clock says. */
  filmSeconds: number;
}

export const WELL_BEHAVED: Readonly<Behaviour> = {
  slots: 20,
  isAway: false,
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
