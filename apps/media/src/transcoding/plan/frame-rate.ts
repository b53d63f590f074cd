/** Frames per second in ffmpeg's notation: exact if the source's rate is, such as 30000/1001. */
export interface FrameRate {
  value: number;
  text: string;
}

const MOST = 60;
/** Slides that change twice a minute still need a keyframe every four seconds; repeated frames cost next to nothing. */
const LEAST = 10;
const UNKNOWN: FrameRate = { value: 25, text: '25' };

interface Ratio {
  over: number;
  under: number;
}

/**
 * One constant rate for every rung.
 * @param base the lowest rate in which all timestamps fit (`r_frame_rate`) @param average over the whole stream
 */
export function frameRateOf(base: string, average: string): FrameRate {
  const mean = parse(average);
  const exact = parse(base);
  if (!mean) return exact ? inBounds(exact) : UNKNOWN;
  // If they differ, the rate varies, and the base is often the rate of the timestamps' clock.
  const isConstant = exact !== undefined && Math.abs(valueOf(exact) / valueOf(mean) - 1) < 0.01;
  return inBounds(isConstant ? exact : { over: Math.round(valueOf(mean) * 1_000), under: 1_000 });
}

function inBounds({ over, under }: Ratio): FrameRate {
  const value = over / under;
  if (value < LEAST) return { value: LEAST, text: String(LEAST) };
  // The rate divided by an integer, so that frames are dropped evenly.
  const divisor = Math.ceil(value / MOST - 1e-3);
  return { value: value / divisor, text: `${over}/${under * divisor}` };
}

function parse(text: string): Ratio | undefined {
  const [over = 0, under = 0] = text.split('/').map(Number);
  return Number.isSafeInteger(over) && Number.isSafeInteger(under) && over > 0 && under > 0 ? { over, under } : undefined;
}

const valueOf = ({ over, under }: Ratio) => over / under;
