/** Frames per second in ffmpeg's notation: exact if the source's rate is, such as 30000/1001. */
export interface FrameRate {
  value: number;
  text: string;
}

const MAX_FPS = 60;
/** Slides that change twice a minute still need a keyframe every four seconds; repeated frames cost next to nothing. */
const MIN_FPS = 10;
const UNKNOWN: FrameRate = { value: 25, text: '25' };

interface Ratio {
  numerator: number;
  denominator: number;
}

/**
 * One constant rate for every rung.
 * @param base the lowest rate in which all timestamps fit (`r_frame_rate`) @param average over the whole stream
 */
export function frameRateOf(base: string, average: string): FrameRate {
  const mean = parse(average);
  const exact = parse(base);
  if (!mean) return exact ? toAllowedRate(exact) : UNKNOWN;
  // If they differ, the rate varies, and the base is often the rate of the timestamps' clock.
  const isConstant = exact !== undefined && Math.abs(valueOf(exact) / valueOf(mean) - 1) < 0.01;
  return toAllowedRate(isConstant ? exact : { numerator: Math.round(valueOf(mean) * 1_000), denominator: 1_000 });
}

function toAllowedRate({ numerator, denominator }: Ratio): FrameRate {
  const value = numerator / denominator;
  if (value < MIN_FPS) return { value: MIN_FPS, text: String(MIN_FPS) };
  // The rate divided by an integer, so that frames are dropped evenly.
  const divisor = Math.ceil(value / MAX_FPS - 1e-3);
  return { value: value / divisor, text: `${numerator}/${denominator * divisor}` };
}

function parse(text: string): Ratio | undefined {
  const [numerator = 0, denominator = 0] = text.split('/').map(Number);
  return Number.isSafeInteger(numerator) && Number.isSafeInteger(denominator) && numerator > 0 && denominator > 0
    ? { numerator, denominator }
    : undefined;
}

const valueOf = ({ numerator, denominator }: Ratio) => numerator / denominator;
