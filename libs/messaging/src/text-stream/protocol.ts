/**
 * A stream over core NATS for data that is too large for one reply (CSV, tokens of a model). The reader opens it by RPC and sends
 * its inbox; the writer answers with a control subject. Frames are numbered and have at most 32 KiB. Each frame uses one credit;
 * the reader returns credits when its own consumer (an HTTP socket) has taken the frames. A side that receives nothing for 10 s
 * gives up. A gap in the numbers ends the stream with SERVICE_UNAVAILABLE.
 */
/** A frame that reaches the reader in several reads of its socket is copied, so a frame is smaller than a read (64 KiB). */
export const MAX_FRAME_BYTES = 32 * 1024;
export const INITIAL_CREDITS = 32;
/** Credits that the reader returns together. */
export const RETURNED_CREDITS = 8;
export const HEARTBEAT_MS = 2_000;
export const SILENCE_MS = 10_000;

/** Headers of a frame. `kind` is data, beat, end or error (its body is an ErrorReply). */
export const FRAME_NUMBER = 'frame';
export const FRAME_KIND = 'kind';
export type FrameKind = 'data' | 'beat' | 'end' | 'error';

/** What the reader sends on the control subject. */
export type ControlMessage = { credits: number } | { cancel: true } | { beat: true };
