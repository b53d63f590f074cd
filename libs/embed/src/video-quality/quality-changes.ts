import type { ClassroomEvents, VideoQuality, VideoSource } from '../protocol.js';

export interface VideoMeasurement {
  uid: string;
  source: VideoSource;
  quality: VideoQuality;
}

interface Known extends VideoMeasurement {
  /** The quality in the last event; every video begins with `off`. */
  reported: VideoQuality;
}

/**
 * Turns regular measurements of all videos into events. A quality is reported once two measurements in a row agree, so a
 * flickering one does not cause a flood of events.
 */
export class QualityChanges {
  private readonly videos = new Map<string, Known>();

  constructor(private readonly onChange: (change: ClassroomEvents['quality_changed']) => void) {}

  /**
   * `seen`: every published video. `isPresent`: whether a participant is still in class; the video of a present one becomes
   * `off`, others are forgotten.
   */
  update(seen: readonly VideoMeasurement[], isPresent: (uid: string) => boolean): void {
    const now = new Map(seen.map((video) => [keyOf(video), video]));
    for (const [key, known] of this.videos) {
      if (now.has(key)) continue;
      if (isPresent(known.uid)) now.set(key, { uid: known.uid, source: known.source, quality: 'off' });
      else this.videos.delete(key);
    }
    for (const [key, video] of now) this.applyMeasurement(key, video);
  }

  /** The participant left the class: in the next one, every video begins with `off`. */
  reset(): void {
    this.videos.clear();
  }

  private applyMeasurement(key: string, { uid, source, quality }: VideoMeasurement): void {
    const before = this.videos.get(key) ?? { quality: 'off', reported: 'off' };
    const isStable = before.quality === quality && before.reported !== quality;
    const reported = isStable ? quality : before.reported;
    if (reported === 'off' && quality === 'off') this.videos.delete(key);
    else this.videos.set(key, { uid, source, quality, reported });
    if (isStable) this.onChange({ uid, source, from: before.reported, to: quality });
  }
}

const keyOf = ({ uid, source }: VideoMeasurement) => `${source} ${uid}`;
