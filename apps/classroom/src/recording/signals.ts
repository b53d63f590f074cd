/** Messages that the recorder waits for on the console. Each is logged once. */
type Signal = 'START_RECORDING' | 'END_RECORDING';
const logged = new Set<Signal>();

export function logSignal(signal: Signal): void {
  if (logged.has(signal)) return;
  logged.add(signal);
  // eslint-disable-next-line no-console -- it is the recorder's own protocol
  console.log(signal);
}
