import type { ErrorTexts } from './error-kinds.js';

/** What the organization does not have, by what is missing. */
export const NOT_FOUND_ERRORS = {
  ORGANIZATION_NOT_FOUND: {
    kind: 'not_found',
    message: 'Organization not found',
    when: 'No organization has this id.',
    advice: 'Check the id; it is case-sensitive.',
  },
  ROOM_NOT_FOUND: {
    kind: 'not_found',
    message: 'Room not found',
    when: 'The organization has no room with this `roomId`.',
    advice: 'Create the room first, or check the id.',
  },
  PARTICIPANT_NOT_FOUND: {
    kind: 'not_found',
    message: 'Participant not found',
    when: 'No token was created in this room for this `uid`, or the participant is not connected where that is required.',
    advice: 'Check the `uid` with *List participants*.',
  },
  PRESET_NOT_FOUND: {
    kind: 'not_found',
    message: 'Preset not found',
    when: 'The organization has no preset with this name.',
    advice: 'Check the name with *List presets*; it is case-sensitive.',
  },
  BOARD_PAGE_NOT_FOUND: {
    kind: 'not_found',
    message: 'Board page not found',
    when: 'The board has no page with this id, or it was deleted.',
    advice: 'Read the board again.',
  },
  POLL_NOT_FOUND: {
    kind: 'not_found',
    message: 'Poll not found',
    when: 'The class has no poll with this id.',
    advice: 'Read the polls from the class state.',
  },
  CHAT_MESSAGE_NOT_FOUND: {
    kind: 'not_found',
    message: 'Chat message not found',
    when: 'The class has no message with this id that the caller may see; or it was deleted, where it is to be reported.',
    advice: 'Read the ids with *List chat of room* or from the class state.',
  },
  RECORDING_NOT_FOUND: {
    kind: 'not_found',
    message: 'Recording not found',
    when: 'The room has no recording with this id.',
    advice: 'Read the ids with *List recordings*.',
  },
  RECORDING_BUCKET_NOT_FOUND: {
    kind: 'not_found',
    message: 'The organization has no bucket for recordings',
    when: 'The organization has set no bucket for copies of its recordings.',
    advice: 'Set one with *Set recording bucket*.',
  },
  VIDEO_NOT_FOUND: {
    kind: 'not_found',
    message: 'Video not found',
    when: 'The organization has no video with this id, or it was deleted.',
    advice: 'Check the id with *List videos*.',
  },
  DOCUMENT_NOT_FOUND: {
    kind: 'not_found',
    message: 'Document not found',
    when: 'The class has no document with this id, or it was deleted.',
    advice: 'Check the id with *List documents*.',
  },
  QUESTION_NOT_FOUND: {
    kind: 'not_found',
    message: 'Question not found',
    when: 'The class has no open question with this id.',
    advice: 'Read the open questions again.',
  },
  WEBHOOK_ENDPOINT_NOT_FOUND: {
    kind: 'not_found',
    message: 'Webhook endpoint not found',
    when: 'The organization has no webhook endpoint with this id.',
    advice: 'Check the id with *List webhook endpoints*.',
  },
  WEBHOOK_DELIVERY_NOT_FOUND: {
    kind: 'not_found',
    message: 'Webhook delivery not found',
    when: 'The endpoint has no delivery with this id, or it is older than 30 days.',
    advice: 'Check the id with *List deliveries*.',
  },
  API_KEY_NOT_FOUND: {
    kind: 'not_found',
    message: 'API key not found',
    when: 'The organization has no API key with this id, or it was revoked.',
    advice: 'Check the id with *List API keys*.',
  },
  CREDENTIAL_NOT_FOUND: {
    kind: 'not_found',
    message: 'Credential not found',
    when: 'The organization has no credential with this id, or it was revoked.',
    advice: 'Check the id with *List credentials*.',
  },
  ERASURE_NOT_FOUND: {
    kind: 'not_found',
    message: 'Erasure not found',
    when: 'The organization has no erasure with this id.',
    advice: 'Use the id that *Erase personal data* returned.',
  },
  DEAD_LETTER_NOT_FOUND: {
    kind: 'not_found',
    message: 'Dead letter not found',
    when: 'No dead letter has this id: it was replayed or discarded, or is older than 30 days.',
    advice: 'Read the ids with *List dead letters*.',
  },
  EXPORT_NOT_FOUND: {
    kind: 'not_found',
    message: 'Export not found',
    when: 'The organization has no export with this id.',
    advice: 'Use the id that *Export personal data* returned.',
  },
} as const satisfies Record<string, ErrorTexts>;
