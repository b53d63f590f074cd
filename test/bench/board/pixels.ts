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

/** Records how far to the right something is drawn in a row of the canvas. @param row share of its height */
export const pixelsOf = (row: number) => `(() => {
  const canvas = document.querySelector('.board .excalidraw__canvas.static');
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const seen = [];
  let left = Infinity;
  let frame = 0;
  const look = () => {
    const { data } = context.getImageData(0, Math.round(canvas.height * ${row}) - 6, canvas.width, 12);
    let last = -1;
    for (let at = 3; at < data.length; at += 4) {
      const x = ((at - 3) / 4) % canvas.width;
      if (data[at] === 0 || x < canvas.width * ${LEFT}) continue;
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

/** How long each point of the pen took to be seen: both pages show the same stroke, each in its own pixels. */
export function latenciesOf(pen: readonly Seen[], { left, seen }: Shown): number[] {
  const [first, last, end] = [pen[0], pen.at(-1), seen.at(-1)];
  if (!first || !last || !end) throw new Error('the stroke was not seen');
  const share = (x: number, from: number, to: number) => (to === from ? 1 : (x - from) / (to - from));
  return pen.map(({ x, at }) => {
    const wanted = share(x, first.x, last.x);
    const shown = seen.find((one) => share(one.x, left, end.x) >= wanted) ?? end;
    return shown.at - at;
  });
}
