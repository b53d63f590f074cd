import * as contracts from '@classroom/contracts';

/** Statuses that a well-formed request may get when something other than its form prevents success. */
export const STATES = ['2xx', '401', '402', '403', '404', '409', '410', '422', '429', '503'];

const STAYS = { checks: ['use_after_free'], why: 'a deleted room is a class that is over: what was recorded of it stays' } as const;
const RANGE = { checks: ['positive_data_acceptance'], why: 'an end before its beginning is refused' } as const;

const SUBJECT = {
  checks: ['positive_data_acceptance'],
  why: 'a field that is null is absent, and one of three must be given',
} as const;
const PICTURE = { checks: ['positive_data_acceptance'], why: 'no schema tells what a picture is' } as const;
const SCHEDULE = { checks: ['positive_data_acceptance'], why: 'no schema describes which times of a schedule are valid' } as const;

const endpoints = contracts.endpointsAmong(Object.values(contracts));
const readsOfRooms = endpoints.filter(({ method, path }) => method === 'GET' && /^\/v1\/(room|dashboard\/rooms)\/:roomId(\/|$)/.test(path));

/** By operation, the checks that make no sense there, and why. */
export const EXCEPTIONS: Readonly<Record<string, { checks: readonly string[]; why: string }>> = {
  ...Object.fromEntries(readsOfRooms.map(({ operationId }) => [operationId, STAYS])),
  addCaption: { checks: ['positive_data_acceptance'], why: 'no schema tells what WebVTT is' },
  allowToSpeak: { checks: ['positive_data_acceptance'], why: 'students alone are given the word, and a uid does not tell its role' },
  changeRoom: SCHEDULE,
  createErasure: SUBJECT,
  createExport: SUBJECT,
  createRoom: {
    checks: ['allow_header_conformance', ...SCHEDULE.checks],
    why: `a room may be called \`create\`, too: what it allows is allowed there; ${SCHEDULE.why}`,
  },
  getAiUsage: RANGE,
  getBalance: { checks: ['ignored_auth'], why: 'an organization that there is not is a 404 here' },
  getParticipantSessions: RANGE,
  listDashboardUsageDays: RANGE,
  joinRoom: SCHEDULE,
  listRooms: RANGE,
  replayWebhooks: RANGE,
  reportChatMessage: { checks: ['ensure_resource_availability'], why: 'a message sent again with its id may have been deleted' },
  setLogo: PICTURE,
  setPreset: SCHEDULE,
  votePoll: { checks: ['positive_data_acceptance'], why: 'a poll has as many options as it was made with' },
};

/** Optional parameters that are not generated, by name: no schema describes which values are valid. */
export const NOT_TO_BE_GUESSED: Readonly<Record<string, string>> = {
  after: 'a position that an earlier answer gave',
  cursor: 'one that a page before gave',
  participantUid: 'the participant for whom the chat was begun',
  voiceName: 'one of the voices that there are',
  audio: 'base64 of a WAV file',
  image: 'base64 of a picture',
  correctOption: 'the place of one of the options',
  expiresAt: 'a time that is still to come',
  endsAt: 'a time that is still to come',
  startsAt: 'a time before `endsAt`',
  notBefore: 'a time within a year',
  roster: 'people with different uids',
};
