import type {
  ChatMessage,
  ClassState,
  Hand,
  MuteSource,
  Poll,
  Reaction,
  RoomDetails,
  Speaker,
  changeRoomBody,
  chatPage,
  endedRoom,
  mutedEveryone,
  mutedParticipant,
  pollInput,
  removedParticipant,
  votedPoll,
} from '@classroom/contracts';
import type { Call } from '../session/session.js';

export type { Call };
export type Emoji = Reaction['emoji'];
export type PollInput = ReturnType<typeof pollInput.parse>;
export type RoomChange = ReturnType<typeof changeRoomBody.parse>;
type Answer<T extends { parse(value: unknown): unknown }> = ReturnType<T['parse']>;

export type ClassroomApi = ReturnType<typeof createClassroomApi>;

const CLASSROOM = '/v1/classroom';
const participant = (uid: string) => `${CLASSROOM}/participants/${encodeURIComponent(uid)}`;

/** What a participant may ask of the service in class. Each rejects with a Refusal. */
export function createClassroomApi(call: Call) {
  return {
    state: (after: number) => call<ClassState>('GET', `${CLASSROOM}/state?after=${after}`),
    raiseHand: (raised: boolean) => call<{ hands: Hand[] }>('POST', `${CLASSROOM}/hand`, { raised }),
    lowerHand: (uid: string) => call<{ hands: Hand[] }>('POST', `${participant(uid)}/lower-hand`),
    lowerAllHands: () => call<{ hands: Hand[] }>('POST', `${CLASSROOM}/hands/lower-all`),
    mute: (uid: string, source: MuteSource) => call<Answer<typeof mutedParticipant>>('POST', `${participant(uid)}/mute`, { source }),
    muteEveryone: () => call<Answer<typeof mutedEveryone>>('POST', `${CLASSROOM}/mute-all`),
    remove: (uid: string) => call<Answer<typeof removedParticipant>>('POST', `${participant(uid)}/remove`),
    allowToSpeak: (uid: string, allowed: boolean) => call<{ speakers: Speaker[] }>('POST', `${participant(uid)}/speak`, { allowed }),
    /** Safe to repeat with the same `id`, a UUID. */
    sendChat: (text: string, id: string) => call<ChatMessage>('POST', `${CLASSROOM}/chat`, { text, id }),
    /** `before`: version of the oldest message known. */
    olderChat: (before: number) => call<Answer<typeof chatPage>>('GET', `${CLASSROOM}/chat?before=${before}`),
    react: (emoji: Emoji) => call<Reaction>('POST', `${CLASSROOM}/reactions`, { emoji }),
    createPoll: (input: PollInput) => call<Poll>('POST', `${CLASSROOM}/polls`, input),
    vote: (pollId: string, option: number) => call<Answer<typeof votedPoll>>('POST', `${CLASSROOM}/polls/${pollId}/vote`, { option }),
    closePoll: (pollId: string) => call<Poll>('POST', `${CLASSROOM}/polls/${pollId}/close`),
    changeRoom: (change: RoomChange) => call<RoomDetails>('PATCH', `${CLASSROOM}/room`, change),
    endClass: () => call<Answer<typeof endedRoom>>('POST', `${CLASSROOM}/end`),
  };
}
