/** The shortest time between two reads of the page, in milliseconds: a read takes some milliseconds. */
const PAUSE_MS = 100;
/** The page is read at least this often, in milliseconds: the observers miss late style sheets and media queries. */
const ANYWAY_MS = 5_000;
const EVENTS = ['load', 'resize', 'transitionend', 'animationend', 'loadeddata', 'emptied'] as const;

/** Reports whether the page may look different since the last call. */
export class LayoutWatch {
  private isDirty = true;
  private readAt = -Infinity;
  private readonly mutations = new MutationObserver(() => this.mark());
  private readonly sizes = new ResizeObserver(() => this.mark());

  constructor(root: HTMLElement) {
    this.mutations.observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
    this.sizes.observe(root);
    // In the capture phase, because most of these events do not bubble.
    for (const name of EVENTS) document.addEventListener(name, this.mark, { capture: true });
    void document.fonts.ready.then(this.mark);
  }

  /** `now`: milliseconds. Returns true once for each change. */
  takeChange(now: number): boolean {
    const isDue = this.isDirty ? now - this.readAt >= PAUSE_MS : now - this.readAt >= ANYWAY_MS;
    if (!isDue) return false;
    this.isDirty = false;
    this.readAt = now;
    return true;
  }

  stop(): void {
    this.mutations.disconnect();
    this.sizes.disconnect();
    for (const name of EVENTS) document.removeEventListener(name, this.mark, { capture: true });
  }

  private readonly mark = (): void => {
    this.isDirty = true;
  };
}
