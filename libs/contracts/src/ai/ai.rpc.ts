import { z } from 'zod';
import { classroomCaller } from '../kernel/caller.js';
import { organizationId, roomId, text, uid } from '../kernel/values.js';
import { defineRpc, streamOpening, streamStarted } from '../kernel/rpc.js';
import { claimedImage, claimedInput, modality } from './ai-event.js';

const service = 'ai' as const;
const ofOrganization = z.object({ organizationId });
const ofRoom = ofOrganization.extend({ roomId });
const ofCaller = z.object({ caller: classroomCaller });

/**
 * The form of the answer. `isWhole` joins all its speech into one WAV at the end, for a caller that does not read the answer as a
 * stream.
 */
const answering = { isWhole: z.boolean(), responseModality: modality };
const asked = { text: text(32_000).optional(), audio: claimedInput.optional(), ...answering };

/** A refusal arrives as the error of the stream, so the caller waits in only one place. */
export const agentRpc = {
  chat: defineRpc({
    service,
    rpc: 'agent.chat',
    input: ofOrganization.extend({
      chatId: roomId,
      participantUid: uid.optional(),
      message: text(32_000),
      audio: claimedInput.optional(),
      image: claimedImage.optional(),
      voiceName: z.string().optional(),
      ...answering,
      ...streamOpening.shape,
    }),
    output: streamStarted,
  }),
};

export const tutorRpc = {
  chat: defineRpc({
    service,
    rpc: 'tutor.chat',
    input: ofRoom.extend({ studentUid: uid, ...asked, ...streamOpening.shape }),
    output: streamStarted,
  }),
  /** How many questions these students asked in a class; who asked none is omitted. A report does not wait long for it. */
  countQuestions: defineRpc({
    service,
    rpc: 'tutor.count-questions',
    input: ofOrganization.extend({ sid: z.string(), uids: z.array(z.string()).max(200) }),
    output: z.object({ students: z.array(z.object({ uid: z.string(), questions: z.number().int() })).max(200) }),
    timeoutMs: 1_000,
    waitsForResponder: false,
  }),
  ask: defineRpc({ service, rpc: 'tutor.ask', input: ofCaller.extend({ ...asked, ...streamOpening.shape }), output: streamStarted }),
};
