/** 65 → `1:05`, 3665 → `1:01:05`. */
export function formatTime(seconds: number): string {
  const whole = Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds)) : 0;
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const tail = String(rest).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`;
}

interface Ranges {
  length: number;
  start(index: number): number;
  end(index: number): number;
}

/** Up to which position the video can play from `time` without loading more, in seconds. */
export function bufferedEnd(ranges: Ranges, time: number): number {
  for (let at = 0; at < ranges.length; at++) {
    if (ranges.start(at) <= time + 0.1 && ranges.end(at) >= time) return ranges.end(at);
  }
  return time;
}
