import { z } from 'zod';
import { shownText } from '../kernel/values.js';
import { NAMES } from '../kernel/reference.js';

const ASK =
  '`join`: before joining. `recording`: when a recording starts, and at the join while one runs. Not asked: who may start a recording (TEACHER, ADMIN).';
const WITHOUT =
  'What happens without consent. `refuse`: no place in class; before the answer no camera, microphone or screen. `mute`: no camera, microphone or screen. `hide`: everything, but the recording does not show or play them. With `ask: "recording"`, only while a recording runs. No recording ever contains who has not consented.';
const VERSION = 'Version of the text, 1 to 50 characters. After a change everyone is asked again.';
const TEXT = 'The question, plain text of 1 to 2,000 characters.';

const ask = z.enum(['join', 'recording']);
const without = z.enum(['refuse', 'mute', 'hide']);

export const recordingConsent = z.object({
  ask: ask.describe(ASK),
  without: without.describe(WITHOUT),
  version: shownText(50).describe(VERSION),
  text: shownText(2_000).describe(TEXT),
});
export type RecordingConsent = z.infer<typeof recordingConsent>;

const RECORDING = 'Which consent to recordings is asked for; null: none.';
const AI = 'Whether the AI tutor and its summaries may be used.';

/** What an organization or a room sets. An omitted field stays as it is; in a new room, it is the organization's. */
export const consentChanges = z.object({
  recording: recordingConsent.nullish().describe(RECORDING),
  ai: z.boolean().optional().describe(AI),
});
export type ConsentChanges = z.infer<typeof consentChanges>;

/** The settings in force. */
export const consentSettings = z
  .object({
    recording: z
      .object({
        ask: ask.meta({ 'x-extensible': true }).describe(ASK),
        without: without.meta({ 'x-extensible': true }).describe(WITHOUT),
        version: z.string().describe(VERSION),
        text: z.string().describe(TEXT),
      })
      .nullable()
      .describe(RECORDING),
    ai: z.boolean().describe(AI),
  })
  .register(NAMES, { id: 'ConsentSettings', description: 'Which consent to recordings is asked for, and whether AI may be used.' });
export type ConsentSettings = z.infer<typeof consentSettings>;

/** Each field of `changes` replaces that of `present`. */
export const changedConsent = (changes: ConsentChanges | undefined, present: ConsentSettings): ConsentSettings => ({
  recording: changes?.recording === undefined ? present.recording : changes.recording,
  ai: changes?.ai ?? present.ai,
});

export const NO_CONSENT_ASKED: ConsentSettings = { recording: null, ai: true };
