type Attributes = Record<string, string | boolean | undefined>;
type Child = Node | string | undefined;

/** An element with attributes (`true` for a bare one) and children; text is always text, never markup. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

export function button(attributes: Attributes, onClick: () => void, ...children: Child[]): HTMLButtonElement {
  const element = h('button', { type: 'button', ...attributes }, ...children);
  element.addEventListener('click', onClick);
  return element;
}

const SVG = 'http://www.w3.org/2000/svg';

/** Strokes on a grid of 24. */
const ICONS = {
  microphone: ['M12 3a3 3 0 0 0-3 3v6a3 3 0 0 0 6 0V6a3 3 0 0 0-3-3Z', 'M5.5 11.5a6.5 6.5 0 0 0 13 0', 'M12 18v3'],
  microphoneOff: ['M9 9v3a3 3 0 0 0 4.6 2.5', 'M15 11V6a3 3 0 0 0-5.7-1.3', 'M5.5 11.5A6.5 6.5 0 0 0 16 16.6M18.5 11.5a6 6 0 0 1-.5 2.5', 'M12 18v3', 'M4 3l16 18'],
  camera: ['M4.5 6.5h9a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2h-9a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2Z', 'M15.5 11l6-3.5v9l-6-3.5'],
  cameraOff: ['M6 6.5H4.5a2 2 0 0 0-2 2v7a2 2 0 0 0 2 2h9a2 2 0 0 0 1.7-1', 'M10 6.5h3.5a2 2 0 0 1 2 2V11l6-3.5v9l-3-1.8', 'M4 3l16 18'],
  leave: ['M10 4H6a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h4', 'M15 8l4 4-4 4', 'M19 12H9'],
  end: ['M12 3v9', 'M7 6.2a8 8 0 1 0 10 0'],
  sound: ['M4 9.5v5h3.5L12 18.5v-13L7.5 9.5H4Z', 'M15.5 9a4.2 4.2 0 0 1 0 6', 'M18 6.5a8 8 0 0 1 0 11'],
  people: ['M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7Z', 'M2.5 19.5a6.5 6.5 0 0 1 13 0', 'M16 4.8a3.5 3.5 0 0 1 0 6.4', 'M18 14a6.5 6.5 0 0 1 3.5 5.5'],
} satisfies Record<string, string[]>;
export type Icon = keyof typeof ICONS;

/** Decoration only: what it stands for is said in words beside it. */
export function icon(name: Icon): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  for (const d of ICONS[name]) {
    const path = document.createElementNS(SVG, 'path');
    path.setAttribute('d', d);
    svg.append(path);
  }
  return svg;
}
