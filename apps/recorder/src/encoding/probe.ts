import { z } from 'zod';
import type { RecordingFile } from '../state/progress.js';

const probed = z.object({
  streams: z.array(z.object({ codec_type: z.string().optional(), codec_name: z.string().optional() })),
  format: z.object({ duration: z.coerce.number().positive(), size: z.coerce.number().int().positive() }),
});

/** What a file must have. */
const FILM = { type: 'video', codec: 'h264' };
const SOUND = { type: 'audio', codec: 'aac' };

/** @param text ffprobe's JSON output @throws if the file has no H.264 (`audioOnly`: no AAC), or no positive duration */
export function readProbe(text: string, audioOnly = false): RecordingFile {
  const { type, codec } = audioOnly ? SOUND : FILM;
  const { streams, format } = probed.parse(JSON.parse(text));
  const stream = streams.find(({ codec_type }) => codec_type === type);
  if (stream?.codec_name !== codec) throw new Error(`the file has ${stream?.codec_name ?? 'no'} ${type}`);
  return { durationMs: Math.round(format.duration * 1000), size: format.size };
}
