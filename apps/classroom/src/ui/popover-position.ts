const GAP = 8;

/**
 * Keeps an open popover above its button if the button is in the lower half of the window and there is room; otherwise below. Never outside
 * of the window or below its scrollbar. If the window becomes too narrow for the button, the popover closes.
 * @returns a function that ends it
 */
export function keepPlaced(popover: HTMLElement, button: HTMLElement): () => void {
  const follow = () => (button.getClientRects().length > 0 ? place(popover, button) : popover.hidePopover());
  follow();
  window.addEventListener('resize', follow);
  return () => window.removeEventListener('resize', follow);
}

function place(popover: HTMLElement, button: HTMLElement): void {
  const anchor = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = popover;
  const isAbove = anchor.top - height - GAP >= 0 && anchor.top > window.innerHeight / 2;
  const top = isAbove ? anchor.top - height - GAP : anchor.bottom + GAP;
  const left = anchor.left + anchor.width / 2 - width / 2;
  popover.style.top = `${clamp(top, window.innerHeight - height)}px`;
  popover.style.left = `${clamp(left, document.documentElement.clientWidth - width)}px`;
}

const clamp = (value: number, max: number) => Math.max(GAP, Math.min(value, max - GAP));
