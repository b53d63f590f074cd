import { z } from 'zod';
import { organizationId, roomId, text, uid } from '../kernel/ids.js';
import { defineRpc } from '../kernel/rpc.js';
import { streamOpening, streamStarted } from '../kernel/text-stream.js';
import { classroomCaller } from '../room/classroom.rpc.js';
import { usageSummary, voice } from './agent.http.js';
import { claimedImage, claimedInput, modality } from './ai-event.js';
import { aiSettings, aiSettingsBody } from './settings.http.js';
import { openQuestions, roomContext, roomContextBody, tutorCosts, tutorDialogue, tutorSummaryResult } from './tutor.http.js';

const service = 'ai' as const;
const ofOrganization = z.object({ organizationId });
const ofRoom = ofOrganization.extend({ roomId });
const ofCaller = z.object({ caller: classroomCaller });

/** How the answer is wanted: `isWhole` joins its speech into one WAV at the end, for who does not read as it comes. */
const answering = { isWhole: z.boolean(), responseModality: modality };
const asked = { text: text(32_000).optional(), audio: claimedInput.optional(), ...answering };

/** Refusals come as the stream's error, so that whoever opens it waits once. */
export const agentRpc = {
  chat: defineRpc({
    service,
    noun: 'agent',
    verb: 'chat',
    input: ofOrganization.extend({
      chatId: roomId,
      message: text(32_000),
      audio: claimedInput.optional(),
      image: claimedImage.optional(),
      voiceName: z.string().optional(),
      ...answering,
      ...streamOpening.shape,
    }),
    output: streamStarted,
  }),
  voices: defineRpc({ service, noun: 'agent', verb: 'voices', input: ofOrganization, output: z.object({ voices: z.array(voice) }) }),
  usage: defineRpc({
    service,
    noun: 'agent',
    verb: 'usage',
    input: ofOrganization.extend({ startDate: z.string().optional(), endDate: z.string().optional() }),
    output: usageSummary,
  }),
};

export const tutorRpc = {
  chat: defineRpc({
    service,
    noun: 'tutor',
    verb: 'chat',
    input: ofRoom.extend({ studentUid: uid, ...asked, ...streamOpening.shape }),
    output: streamStarted,
  }),
  ask: defineRpc({ service, noun: 'tutor', verb: 'ask', input: ofCaller.extend({ ...asked, ...streamOpening.shape }), output: streamStarted }),
  summary: defineRpc({
    service,
    noun: 'tutor',
    verb: 'summary',
    input: ofRoom,
    output: tutorSummaryResult,
    errors: ['ROOM_NOT_FOUND'],
    /** A model writes it. */
    timeoutMs: 25_000,
  }),
  usage: defineRpc({
    service,
    noun: 'tutor',
    verb: 'usage',
    input: ofRoom,
    output: z.object({ inputTokens: z.number().int(), outputTokens: z.number().int() }),
    errors: ['ROOM_NOT_FOUND'],
  }),
  costs: defineRpc({
    service,
    noun: 'tutor',
    verb: 'costs',
    input: ofRoom.extend({ cursor: z.string().optional(), limit: z.number().int().min(1).max(100) }),
    output: tutorCosts,
    errors: ['VALIDATION_FAILED', 'ROOM_NOT_FOUND'],
  }),
  setContext: defineRpc({
    service,
    noun: 'tutor',
    verb: 'set-context',
    input: ofRoom.extend({ context: roomContextBody }),
    output: roomContext,
    errors: ['ROOM_NOT_FOUND'],
  }),
  dialogue: defineRpc({ service, noun: 'tutor', verb: 'dialogue', input: ofCaller, output: tutorDialogue, errors: ['UNAUTHORIZED', 'ROOM_ENDED'] }),
  openQuestions: defineRpc({
    service,
    noun: 'tutor',
    verb: 'open-questions',
    input: ofCaller,
    output: openQuestions,
    errors: ['UNAUTHORIZED', 'FORBIDDEN', 'ROOM_ENDED'],
  }),
  askTeacher: defineRpc({
    service,
    noun: 'tutor',
    verb: 'ask-teacher',
    input: ofCaller.extend({ questionId: z.string() }),
    output: z.object({ questionId: z.string() }),
    errors: ['UNAUTHORIZED', 'QUESTION_NOT_FOUND', 'ROOM_ENDED'],
  }),
  resolveQuestion: defineRpc({
    service,
    noun: 'tutor',
    verb: 'resolve-question',
    input: ofCaller.extend({ questionId: z.string() }),
    output: openQuestions,
    errors: ['UNAUTHORIZED', 'FORBIDDEN', 'QUESTION_NOT_FOUND', 'ROOM_ENDED'],
  }),
};

export const aiSettingsRpc = {
  get: defineRpc({ service, noun: 'settings', verb: 'get', input: ofOrganization, output: aiSettings, errors: ['ORGANIZATION_NOT_FOUND'] }),
  update: defineRpc({
    service,
    noun: 'settings',
    verb: 'update',
    input: ofOrganization.extend({ changes: aiSettingsBody }),
    output: aiSettings,
    errors: ['ORGANIZATION_NOT_FOUND'],
  }),
};
