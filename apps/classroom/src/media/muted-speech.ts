import type { LocalTrack } from 'livekit-client';

const TICK_MS = 100;
/** So many of the last levels are loud while a person speaks: a knock or a cough is shorter. */
const [WINDOW, LOUD] = [12, 7];
/** As a share of full scale. Speech at arm's length has about 0.12. */
const MIN_LEVEL = 0.04;

/**
 * Only in Chromium, a muted microphone stays open, so that it is back at once. Other browsers give the device back, and its light goes off:
 * there, listening would take it again.
 */
export const staysOpenWhileMuted = typeof navigator !== 'undefined' && 'userAgentData' in navigator;

/** @param levels the latest last */
export const isSpeech = (levels: readonly number[]): boolean => levels.slice(-WINDOW).filter((level) => level >= MIN_LEVEL).length >= LOUD;

/** Calls `onSpeech` once if a person speaks into the muted microphone. The sound stays in this page. @returns a function that ends it */
export function onSpeechInto(track: LocalTrack, onSpeech: () => void): () => void {
  // A muted track has no sound; its clone is of the same open device.
  const sound = track.mediaStreamTrack.clone();
  sound.enabled = true;
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  context.createMediaStreamSource(new MediaStream([sound])).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  const levels: number[] = [];
  let isEnded = false;
  const end = () => {
    if (isEnded) return;
    isEnded = true;
    clearInterval(timer);
    sound.stop();
    void context.close();
  };
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples);
    levels.push(Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length));
    if (levels.length > WINDOW) levels.shift();
    if (!isSpeech(levels)) return;
    end();
    onSpeech();
  }, TICK_MS);
  return end;
}
