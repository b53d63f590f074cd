/** Where a stroke had come to, in pixels from the left, and when (milliseconds since 1970). */
export interface Seen {
  x: number;
  at: number;
}

/** What appeared: how far to the right the stroke had come, and where it begins. */
export interface Shown {
  left: number;
  seen: Seen[];
}

/** The others draw to the left of it: a share of the width. */
const LEFT = 0.28;

/** Records where the pen is. */
export const PEN = `(() => {
  const seen = [];
  const record = (event) => event.buttons > 0 && seen.push({ x: event.clientX, at: performance.timeOrigin + event.timeStamp });
  addEventListener('pointermove', record, true);
  window.stopSeeing = () => {
    removeEventListener('pointermove', record, true);
    return seen;
  };
})()`;

/** Records how far to the right something is drawn on the canvas. */
export const PIXELS = `(() => {
  const canvas = document.querySelector('.board .excalidraw__canvas.static');
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const seen = [];
  let left = Infinity;
  let frame = 0;
  const look = () => {
    const from = Math.round(canvas.width * ${LEFT});
    const width = canvas.width - from;
    const { data } = context.getImageData(from, 0, width, canvas.height);
    let last = -1;
    for (let at = 3; at < data.length; at += 4) {
      if (data[at] === 0) continue;
      const x = from + (((at - 3) / 4) % width);
      left = Math.min(left, x);
      last = Math.max(last, x);
    }
    if (last > (seen.at(-1)?.x ?? -1)) seen.push({ x: last, at: Date.now() });
    frame = requestAnimationFrame(look);
  };
  look();
  window.stopSeeing = () => {
    cancelAnimationFrame(frame);
    return { left, seen };
  };
})()`;

/** Whether nothing is drawn there. */
export const IS_EMPTY = `(() => {
  const canvas = document.querySelector('.board .excalidraw__canvas.static');
  const from = Math.round(canvas.width * ${LEFT});
  const { data } = canvas.getContext('2d', { willReadFrequently: true }).getImageData(from, 0, canvas.width - from, canvas.height);
  return data.every((value, at) => at % 4 !== 3 || value === 0);
})()`;

/** How long each point of the pen took to be seen: both pages show the same stroke, each in its own pixels. */
export function latenciesOf(pen: readonly Seen[], { left, seen }: Shown): number[] {
  const [first, last, end] = [pen[0], pen.at(-1), seen.at(-1)];
  if (!first || !last || !end) throw new Error(`the stroke was not seen: ${pen.length} positions of the pen, ${seen.length} on the screen`);
  const share = (x: number, from: number, to: number) => (to === from ? 1 : (x - from) / (to - from));
  return pen.map(({ x, at }) => {
    const wanted = share(x, first.x, last.x);
    const shown = seen.find((one) => share(one.x, left, end.x) >= wanted) ?? end;
    return shown.at - at;
  });
}
