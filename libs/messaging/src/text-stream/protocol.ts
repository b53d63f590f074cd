/**
 * A stream over core NATS, for what is too large for one reply (CSV, tokens of a model). The caller opens it by RPC and
 * gives an inbox; the callee answers with a control subject. Frames are numbered and at most 64 KiB; each costs a credit,
 * and credits come back as the reader (an HTTP socket) takes frames. Either side that hears nothing for 10 s gives up; a
 * gap ends the stream in SERVICE_UNAVAILABLE.
 */
export const MAX_FRAME_BYTES = 64 * 1024;
export const INITIAL_CREDITS = 16;
export const HEARTBEAT_MS = 2_000;
export const SILENCE_MS = 10_000;

/** Headers of a frame. `kind` is data, beat, end or error (whose body is an ErrorReply). */
export const FRAME_NUMBER = 'frame';
export const FRAME_KIND = 'kind';
export type FrameKind = 'data' | 'beat' | 'end' | 'error';

/** What the reader says on the control subject. */
export type ControlMessage = { credits: number } | { cancel: true } | { beat: true };
