const NOTE_S = 0.22;
const LOUDNESS = 0.25;

/**
 * Plays notes, in Hz, one after the other, on the speaker with this id.
 * @returns after the last one @throws Error if the browser refuses to play there
 */
export async function playNotes(frequencies: readonly number[], speakerId = 'default'): Promise<void> {
  const context = new AudioContext();
  const output = context.createMediaStreamDestination();
  const element = new Audio();
  element.srcObject = output.stream;
  try {
    if (speakerId !== 'default') await element.setSinkId(speakerId);
    await element.play();
    const begin = context.currentTime + 0.1;
    const ends = frequencies.map((frequency, index) => playNote(context, output, frequency, begin + index * NOTE_S));
    await Promise.all(ends);
  } finally {
    element.srcObject = null;
    await context.close();
  }
}

function playNote(context: AudioContext, output: AudioNode, frequency: number, at: number): Promise<unknown> {
  const note = context.createOscillator();
  const volume = context.createGain();
  note.frequency.value = frequency;
  volume.gain.setValueAtTime(0, at);
  volume.gain.linearRampToValueAtTime(LOUDNESS, at + 0.02);
  volume.gain.linearRampToValueAtTime(0, at + NOTE_S * 1.8);
  note.connect(volume).connect(output);
  note.start(at);
  note.stop(at + NOTE_S * 2);
  return new Promise((resolve) => note.addEventListener('ended', resolve));
}
