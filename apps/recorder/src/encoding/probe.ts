import { z } from 'zod';
import type { RecordingFile } from '../state/progress.js';

const probed = z.object({
  streams: z.array(z.object({ codec_type: z.string().optional(), codec_name: z.string().optional() })),
  format: z.object({ duration: z.coerce.number().positive(), size: z.coerce.number().int().positive() }),
});

/** @param text ffprobe's JSON output @throws if the file is not H.264 with a positive duration */
export function readProbe(text: string): RecordingFile {
  const { streams, format } = probed.parse(JSON.parse(text));
  const video = streams.find(({ codec_type }) => codec_type === 'video');
  if (video?.codec_name !== 'h264') throw new Error(`the file has ${video?.codec_name ?? 'no'} video`);
  return { durationMs: Math.round(format.duration * 1000), size: format.size };
}
