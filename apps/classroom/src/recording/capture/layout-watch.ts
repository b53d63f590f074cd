/** Reading the page costs some milliseconds: no more often than this, however restless it is. */
const PAUSE_MS = 100;
/** What none of the observers tells of: a style sheet that came late, a media query. */
const ANYWAY_MS = 5_000;
const EVENTS = ['load', 'resize', 'transitionend', 'animationend', 'loadeddata', 'emptied'] as const;

/** Knows whether the page may look different from when it was last asked. */
export class LayoutWatch {
  private isDirty = true;
  private readAt = -Infinity;
  private readonly mutations = new MutationObserver(() => this.mark());
  private readonly sizes = new ResizeObserver(() => this.mark());

  constructor(root: HTMLElement) {
    this.mutations.observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
    this.sizes.observe(root);
    // Caught on the way down: most of these don't bubble.
    for (const name of EVENTS) document.addEventListener(name, this.mark, { capture: true });
    void document.fonts.ready.then(this.mark);
  }

  /** Asked with the time in milliseconds; true once for each change. */
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
