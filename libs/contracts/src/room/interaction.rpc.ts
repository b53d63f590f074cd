import { z } from 'zod';
import type { ErrorCode } from '../kernel/errors.js';
import { organizationId, roomId, uid } from '../kernel/ids.js';
import { defineRpc } from '../kernel/rpc.js';
import { chatMessage, chatText, classState, poll, pollInput, pollReport, reaction, REACTIONS, roomDetails } from './class-state.js';
import { classroomCaller } from './classroom.rpc.js';
import {
  changeRoomBody,
  chatPage,
  handResult,
  mutedEveryone,
  mutedParticipant,
  muteSource,
  pollId,
  speakersResult,
  votedPoll,
} from './interaction.http.js';

const caller = z.object({ caller: classroomCaller });
const REFUSALS: ErrorCode[] = ['UNAUTHORIZED', 'ROOM_ENDED'];

/** An action of a participant in a class. */
const action = <I extends z.ZodType, O extends z.ZodType>(verb: string, input: I, output: O, ...errors: ErrorCode[]) =>
  defineRpc({ service: 'room', noun: 'class', verb, input, output, errors: [...REFUSALS, ...errors] });

const ofUid = caller.extend({ uid });
const ofPoll = caller.extend({ pollId });

export const interactionRpc = {
  state: action('state', caller.extend({ after: z.number().int().min(0) }), classState),
  raiseHand: action('raise-hand', caller.extend({ raised: z.boolean() }), handResult),
  lowerHand: action('lower-hand', ofUid, handResult, 'FORBIDDEN', 'PARTICIPANT_NOT_FOUND'),
  lowerAllHands: action('lower-all-hands', caller, handResult, 'FORBIDDEN'),
  mute: action(
    'mute',
    ofUid.extend({ source: muteSource }),
    mutedParticipant,
    'FORBIDDEN',
    'PARTICIPANT_NOT_FOUND',
    'SERVICE_UNAVAILABLE',
  ),
  muteEveryone: action('mute-everyone', caller, mutedEveryone, 'FORBIDDEN', 'SERVICE_UNAVAILABLE'),
  allowToSpeak: action(
    'allow-to-speak',
    ofUid.extend({ allowed: z.boolean() }),
    speakersResult,
    'FORBIDDEN',
    'PARTICIPANT_NOT_FOUND',
    'VALIDATION_FAILED',
  ),
  sendChat: action('send-chat', caller.extend({ text: chatText, id: z.string().optional() }), chatMessage, 'RATE_LIMITED'),
  listChat: action('list-chat', caller.extend({ before: z.number().int().optional(), limit: z.number().int() }), chatPage),
  react: action('react', caller.extend({ emoji: z.enum(REACTIONS) }), reaction, 'RATE_LIMITED'),
  createPoll: action('create-poll', caller.extend(pollInput.shape), poll, 'FORBIDDEN', 'TOO_MANY_POLLS'),
  vote: action(
    'vote',
    ofPoll.extend({ option: z.number().int() }),
    votedPoll,
    'POLL_NOT_FOUND',
    'POLL_CLOSED',
    'ALREADY_VOTED',
    'VALIDATION_FAILED',
  ),
  closePoll: action('close-poll', ofPoll, poll, 'FORBIDDEN', 'POLL_NOT_FOUND'),
  changeRoom: action('change-room', caller.extend({ change: changeRoomBody }), roomDetails, 'FORBIDDEN'),
  /** For the organization's backend, in the last release's form: as much as one message holds. */
  polls: defineRpc({
    service: 'room',
    noun: 'class',
    verb: 'polls',
    input: z.object({ organizationId, roomId }),
    output: z.array(pollReport),
    errors: ['ROOM_NOT_FOUND'],
  }),
  /** The same in pages of one message each. A poll whose votes fill more than one page begins each of them, with the votes that follow. */
  pollPage: defineRpc({
    service: 'room',
    noun: 'class',
    verb: 'poll-page',
    input: z.object({ organizationId, roomId, cursor: z.string().optional() }),
    output: z.object({ polls: z.array(pollReport), nextCursor: z.string().nullable() }),
    errors: ['VALIDATION_FAILED', 'ROOM_NOT_FOUND'],
  }),
};
