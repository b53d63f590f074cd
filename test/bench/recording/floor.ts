import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const exec = promisify(execFile);
const FFMPEG = process.env.FFMPEG_PATH ?? 'ffmpeg';

/** CPU seconds as reported by ffmpeg. */
async function cpuOf(args: string[]) {
  const { stderr } = await exec(FFMPEG, ['-nostdin', '-benchmark', '-threads', '1', ...args, '-f', 'null', '-'], { maxBuffer: 2 ** 26 });
  const [, user, system] = /bench: utime=([\d.]+)s stime=([\d.]+)s/.exec(stderr) ?? [];
  return Number(user) + Number(system);
}

/**
 * The cost of encoding alone, in CPU seconds per minute: a test picture of the same size, rate and bit rate, encoded by x264 at its fastest
 * setting, minus the cost of generating the picture.
 */
export async function encodingFloor({ size, bitRate }: { size: string; bitRate: string }, seconds: number) {
  const source = ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=30:duration=${seconds},format=yuv420p`];
  const picture = await cpuOf(source);
  const encoded = await cpuOf([...source, '-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-b:v', bitRate]);
  return ((encoded - picture) * 60) / seconds;
}
