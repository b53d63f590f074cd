/** Messages that the recorder waits for on the console. Each is logged once. */
type Signal = 'START_RECORDING' | 'END_RECORDING';
const said = new Set<Signal>();

export function announce(signal: Signal): void {
  if (said.has(signal)) return;
  said.add(signal);
  // eslint-disable-next-line no-console -- it is the recorder's own protocol
  console.log(signal);
}
