import type { ErrorKind } from './error-kinds.js';

interface ErrorTexts {
  kind: ErrorKind;
  message: string;
  /** For the API reference: when the error occurs, and what the caller can do. */
  when: string;
  advice: string;
}

/** The only registry of error codes: the public `error` value, its kind and its default message. */
export const ERRORS = {
  VALIDATION_FAILED: {
    kind: 'invalid',
    message: 'The request is not valid',
    when: 'A parameter, the query, the body or a header is not valid, or the body is not JSON.',
    advice: 'Correct the fields that `details` lists. The same request always fails.',
  },
  UNAUTHORIZED: {
    kind: 'unauthenticated',
    message: 'Unauthorized',
    when: 'The credential is missing, unknown, expired, or of another kind.',
    advice: 'Check which credential the call requires, and its value.',
  },
  INSUFFICIENT_CREDITS: {
    kind: 'payment',
    message: 'Insufficient credits',
    when: 'The prepaid balance is used up.',
    advice: 'Have credits added, then repeat the call.',
  },
  FORBIDDEN: {
    kind: 'forbidden',
    message: 'Your role does not allow this',
    when: 'The API key lacks the scope, or the role does not allow the action.',
    advice: 'Use a key with the scope that `message` names, or a participant with another role.',
  },
  CONSENT_REQUIRED: {
    kind: 'forbidden',
    message: 'The class admits no participant without consent to its recording',
    when: 'The participant refused consent to recordings, and the class has `without: "refuse"`. `details` has `version` and `text` of the question.',
    advice: 'Show the question again, and grant consent with *Answer consent*.',
  },
  ADMISSION_REFUSED: {
    kind: 'forbidden',
    message: 'The class does not admit this participant',
    when: 'A teacher, or your backend, refused the participant who was in the waiting room.',
    advice: 'Show it. The participant can be admitted later.',
  },
  AI_DISABLED: {
    kind: 'forbidden',
    message: 'AI is switched off here',
    when: '`consent.ai` is `false` for the organization or the class, or `ai` for the participant.',
    advice: 'Offer the function only where it is switched on.',
  },
  CHAT_OFF: {
    kind: 'forbidden',
    message: 'The chat is off for students',
    when: 'A student writes while `settings.chat.mode` is `OFF`.',
    advice: 'Wait until the teacher opens the chat.',
  },
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
  EXPORT_NOT_FOUND: {
    kind: 'not_found',
    message: 'Export not found',
    when: 'The organization has no export with this id.',
    advice: 'Use the id that *Export personal data* returned.',
  },
  NOT_FOUND: {
    kind: 'not_found',
    message: 'Not found',
    when: 'The path, or the entry that it names, does not exist.',
    advice: 'Check the path and the ids in it.',
  },
  METHOD_NOT_ALLOWED: {
    kind: 'method_not_allowed',
    message: 'Method not allowed',
    when: 'The path exists, but not for this method.',
    advice: 'Use a method that the `Allow` header lists.',
  },
  PARTICIPANT_ADMITTED: {
    kind: 'conflict',
    message: 'The participant is already admitted',
    when: 'A participant is refused who was admitted before.',
    advice: 'Remove the participant instead.',
  },
  CONSENT_NOT_ASKED: {
    kind: 'conflict',
    message: 'The class does not ask for this consent',
    when: 'The class asks this participant for no consent, or the text has another version.',
    advice: 'Open the session again: its answer has the current question.',
  },
  ORGANIZATION_ALREADY_EXISTS: {
    kind: 'conflict',
    message: 'Organization already exists',
    when: 'An organization uses this id, or has used it.',
    advice: 'Choose another id, or omit it to get a random one.',
  },
  BILLING_TYPE_LOCKED: {
    kind: 'conflict',
    message: 'The billing type cannot change while a room is live',
    when: 'The plan’s type was changed while a room is live.',
    advice: 'Repeat the call when no room is live.',
  },
  LEGAL_HOLD: {
    kind: 'conflict',
    message: 'Recordings are on a legal hold',
    when: 'The organization is to be erased, and some of its recordings are on a legal hold.',
    advice: 'End the legal holds, then repeat the call.',
  },
  ROOM_ID_ALREADY_USED: {
    kind: 'conflict',
    message: 'This roomId was already used',
    when: 'The organization used this `roomId` before, perhaps for a room that has ended.',
    advice: 'Choose another `roomId`. If it may be your own earlier attempt, repeat that with its `Idempotency-Key`.',
  },
  ROOM_NOT_LIVE: {
    kind: 'conflict',
    message: 'The room is not live',
    when: 'No participant has joined yet, or the class is over.',
    advice: 'Wait for `room.started`.',
  },
  ROOM_NOT_OPEN: {
    kind: 'conflict',
    message: 'The room is not open yet',
    when: 'The room opens later by its schedule, or the token’s `notBefore` has not come. `details` has `startsAt`, `opensAt` and `title`.',
    advice: 'Open the session at `opensAt`.',
  },
  ROOM_FULL: {
    kind: 'conflict',
    message: 'The room is full',
    when: '`maxParticipants` participants are connected, or the budget of the class has closed its doors.',
    advice: 'Raise `maxParticipants` with *Update room*, or try again later.',
  },
  RECORDING_IN_PROGRESS: {
    kind: 'conflict',
    message: 'Recording in progress',
    when: 'A recording is running, or the class has not ended.',
    advice: 'Stop it, or wait for its end.',
  },
  NO_ACTIVE_RECORDING: {
    kind: 'conflict',
    message: 'No recording is active',
    when: 'No recording of the room is running.',
    advice: 'Nothing: the recording has stopped already.',
  },
  POLL_CLOSED: {
    kind: 'conflict',
    message: 'The poll is closed',
    when: 'The poll was closed before the vote.',
    advice: 'Nothing: no more votes are counted.',
  },
  ALREADY_VOTED: {
    kind: 'conflict',
    message: 'You have voted already',
    when: 'The participant chose another option before.',
    advice: 'Nothing: the first vote counts.',
  },
  TOO_MANY_POLLS: {
    kind: 'conflict',
    message: 'The class has as many polls as it can have',
    when: 'The class has 100 polls.',
    advice: 'Use the existing polls.',
  },
  CHAT_BUSY: {
    kind: 'conflict',
    message: 'Earlier turns of this chat are still being answered',
    when: 'Earlier turns of this chat are still being answered.',
    advice: 'Repeat the call when they are.',
  },
  TOO_MANY_PRESETS: {
    kind: 'conflict',
    message: 'The organization has as many presets as it can have',
    when: 'The organization has 50 presets.',
    advice: 'Delete one first.',
  },
  TOO_MANY_WEBHOOK_ENDPOINTS: {
    kind: 'conflict',
    message: 'The organization has as many webhook endpoints as it can have',
    when: 'The organization has 16 webhook endpoints.',
    advice: 'Delete one first.',
  },
  WEBHOOK_ENDPOINT_DISABLED: {
    kind: 'conflict',
    message: 'The webhook endpoint is disabled',
    when: 'The endpoint is disabled.',
    advice: 'Enable it with *Update webhook endpoint*.',
  },
  TOO_MANY_CREDENTIALS: {
    kind: 'conflict',
    message: 'The organization has as many credentials as it can have',
    when: 'The organization has 10 credentials.',
    advice: 'Revoke one first.',
  },
  CREDENTIAL_ALREADY_EXISTS: {
    kind: 'conflict',
    message: 'Credential already exists',
    when: 'An organization uses this value, or has used it.',
    advice: 'Omit `value` to get a random one.',
  },
  LAST_CREDENTIAL: {
    kind: 'conflict',
    message: 'This is the organization’s last credential',
    when: 'No other credential of the organization is valid.',
    advice: 'Create another credential first, or ask the operator to revoke this one.',
  },
  TOO_MANY_API_KEYS: {
    kind: 'conflict',
    message: 'The organization has as many API keys as it can have',
    when: 'The organization has 20 API keys.',
    advice: 'Revoke one first.',
  },
  TOO_MANY_API_KEY_SECRETS: {
    kind: 'conflict',
    message: 'The API key has as many secrets as it can have: rotate with graceSeconds 0, or later',
    when: 'The key has five valid secrets.',
    advice: 'Rotate with `graceSeconds` 0, or when an earlier secret has expired.',
  },
  IDEMPOTENCY_CONFLICT: {
    kind: 'conflict',
    message: 'This Idempotency-Key was used with another request',
    when: 'The key was used with another body, its first request is still in progress, or its answer is not kept.',
    advice: 'With `Retry-After`, repeat the request after that time. Otherwise use a new key.',
  },
  ROOM_ENDED: {
    kind: 'gone',
    message: 'Room already ended',
    when: 'The class is over.',
    advice: 'Create another room with a new `roomId`.',
  },
  RECORDING_EXPIRED: {
    kind: 'gone',
    message: 'Download window expired',
    when: 'Six hours have passed since the class ended, and its files are deleted.',
    advice: 'Nothing. Download or publish recordings earlier.',
  },
  EXPORT_EXPIRED: {
    kind: 'gone',
    message: 'The export has expired',
    when: 'Seven days have passed since the export was completed, or its subject was erased. Its file is deleted.',
    advice: 'Request another export.',
  },
  PAYLOAD_TOO_LARGE: {
    kind: 'too_large',
    message: 'The request body is too large',
    when: 'The body is larger than the limit of the call.',
    advice: 'Send less: 1 MiB, or 32 MiB for AI.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    kind: 'unsupported',
    message: 'Content-Type must be application/json',
    when: 'The body is not `application/json`, or has a `Content-Encoding`.',
    advice: 'Send uncompressed JSON with `Content-Type: application/json`.',
  },
  ORGANIZATION_SETUP_INCOMPLETE: {
    kind: 'precondition',
    message: 'Organization setup is incomplete: no billing plan',
    when: 'The organization has no billing plan.',
    advice: 'Ask the operator of the service to set one.',
  },
  RECORDING_BUCKET_REFUSED: {
    kind: 'precondition',
    message: 'The bucket cannot be used',
    when: 'The test object could not be written to the bucket: it is unreachable, does not exist, or refuses the key.',
    advice: 'Correct the field that `details` names, or allow the key `s3:PutObject`. Nothing was stored.',
  },
  RATE_LIMITED: {
    kind: 'rate_limited',
    message: 'Too many requests',
    when: 'A quota is used up.',
    advice: 'Repeat the request after `Retry-After` seconds.',
  },
  TOO_MANY_EXPORTS: {
    kind: 'rate_limited',
    message: 'The organization has as many unfinished exports as it can have',
    when: 'Five exports of the organization are not completed.',
    advice: 'Repeat the call when one of them is completed.',
  },
  INTERNAL_ERROR: {
    kind: 'internal',
    message: 'Something went wrong on our side',
    when: 'The service failed.',
    advice: 'Repeat the request once; if it fails again, report its `requestId`.',
  },
  RECORDER_BUSY: {
    kind: 'unavailable',
    message: 'No recorder is free; try again when a recording has ended',
    when: 'All recorders are in use.',
    advice: 'Repeat the call when another recording has ended.',
  },
  RESPONSE_TOO_LARGE: {
    kind: 'internal',
    message: 'The answer is larger than one response can be; ask for less at a time',
    when: 'The answer does not fit into one response.',
    advice: 'Request less, such as a smaller `limit`.',
  },
  AI_UNAVAILABLE: {
    kind: 'unavailable',
    message: 'The AI provider does not answer; try again shortly',
    when: 'The provider of the model does not answer.',
    advice: 'Repeat the request after `Retry-After` seconds.',
  },
  SERVICE_UNAVAILABLE: {
    kind: 'unavailable',
    message: 'A part of the service cannot be reached; try again shortly',
    when: 'A part of the service is unreachable or restarting.',
    advice: 'Repeat the request after `Retry-After` seconds.',
  },
} as const satisfies Record<string, ErrorTexts>;

export type ErrorCode = keyof typeof ERRORS;
