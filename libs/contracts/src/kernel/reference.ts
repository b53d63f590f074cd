import { z } from 'zod';

/**
 * Objects that the API reference lists once, under a name. Not `.meta({ id })`: contracts are compared with the last release as whole
 * schemas, without references.
 */
export const NAMES = z.registry<{ id: string; description: string }>();

/**
 * What a refinement requires, as JSON Schema for the API reference. Not `.meta`: contracts are compared with the last release by
 * what they accept, and documenting an existing refinement must not look like a narrowing.
 */
export const schemaHints = z.registry<Record<string, unknown>>();

/** At least one of these fields is required; other fields do not matter. */
export const atLeastOneOf = (...names: string[]) => ({ anyOf: names.map((name) => ({ required: [name] })) });

/** For a refinement: a change that changes something. Its message names the fields. */
export const givesSome = (...names: readonly string[]) =>
  [
    (body: object) => Object.values(body).some((value) => value !== undefined),
    `${names.slice(0, -1).join(', ')} or ${names.at(-1)} must be given`,
  ] as const;

/** The entities in the examples of the API reference. */
export const ROOM = { roomId: 'geometry-7b' };
export const PRESET = { presetName: 'lecture' };
export const TEACHER = { uid: 'teacher-12', name: 'Sofia Kovalevskaya', role: 'TEACHER' };
export const STUDENT = { uid: 'student-731', name: 'Emmy Noether', role: 'STUDENT' };
export const VIDEO = { videoId: 'vid_4tGh7Jk9Lm2Np5Qr8Sv1' };
export const DOCUMENT = { documentId: 'doc_7Jk9Lm2Np5Qr8Sv1tGh4' };
export const RECORDING = { ...ROOM, recordingId: 'rec_EG_8fKq2LmN4pXy' };
export const ORGANIZATION = { organizationId: 'org_7Kq2LmN4pXy9Rs8Tu0Wx' };
export const ENDPOINT = { endpointId: 'we_8Lm2Np5Qr8Sv1Tg4Jk7x' };
export const DELIVERY = { ...ENDPOINT, deliveryId: 'wd_2Np5Qr8Sv1Tg4Jk7Lm9x' };
export const CREDENTIAL = { credentialId: 'cred_6vJk9Ln3Pq5Rs8Tu0Wx2' };
export const ERASURE = { erasureId: 'era_3kLm5Np7Qr9St1Vw4Xy6' };
export const EXPORT = { exportId: 'exp_9Rs2Lm4Np6Qt8Vw1Xy3Z' };
export const DEAD_LETTER = { deadLetterId: 'dl_000000000017' };
export const API_KEY = { keyId: 'key_5uHj8Km2Np4Qr7St9Vw1' };
export const QUESTION = { ...ROOM, studentUid: STUDENT.uid, ...ORGANIZATION, text: 'What is a hypotenuse?' };
/** A poll, or a question to the tutor. */
export const GENERATED_ID = '0b9f2c1e-6d1a-4f0e-9c57-2a8d4e6b1f30';
export const SESSION = { sessionId: '3f8c1b5a-92d4-4e67-8a10-7c6d5e4f3a2b' };
