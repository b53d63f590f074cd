import { ClassroomFrame } from './classroom-frame.js';
import { IFRAME_ATTRIBUTES, IFRAME_STYLE, load } from './classroom-iframe.js';
import { EVENT_TYPES, type ClassroomEnvelope } from './event-types.js';
import type { ClassroomEvents, ClassroomEventType } from './protocol.js';

/** `detail` is the event's data. */
export type ClassroomEvent<T extends ClassroomEventType = ClassroomEventType> = CustomEvent<ClassroomEvents[T]> & {
  readonly envelope: ClassroomEnvelope<T>;
};

type Listener<T extends ClassroomEventType> = (event: ClassroomEvent<T>) => unknown;

interface TypedEventTarget extends HTMLElement {
  addEventListener<T extends ClassroomEventType>(type: T, listener: Listener<T>, options?: boolean | AddEventListenerOptions): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject | null, options?: boolean | AddEventListenerOptions): void;
  removeEventListener<T extends ClassroomEventType>(type: T, listener: Listener<T>, options?: boolean | EventListenerOptions): void;
  removeEventListener(type: string, listener: EventListenerOrEventListenerObject | null, options?: boolean | EventListenerOptions): void;
}

// HTMLElement does not exist on a server, and importing this module there must not fail.
const Base = (globalThis.HTMLElement ?? class {}) as unknown as new () => TypedEventTarget;

/** `<virtual-classroom src="…iframeUrl…" title="…">` */
export class VirtualClassroomElement extends Base {
  static readonly observedAttributes = ['src', 'title'];

  private iframe: HTMLIFrameElement | undefined;
  private frame: ClassroomFrame | undefined;

  get src(): string {
    return this.getAttribute('src') ?? '';
  }
  set src(src: string) {
    this.setAttribute('src', src);
  }

  connectedCallback(): void {
    this.upgradeSrc();
    this.style.display ||= 'block';
    this.renderIframe();
  }

  disconnectedCallback(): void {
    this.removeIframe();
  }

  /** Keeps the class running when moveBefore() moves the element: if this callback exists, the browser does not call the other two. */
  connectedMoveCallback(): void {}

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (before === after || !this.isConnected) return;
    if (name === 'src') this.renderIframe();
    else this.iframe?.setAttribute('title', this.title);
  }

  leave(): Promise<void> {
    return this.runCommand((frame) => frame.leave());
  }
  setMicrophone(enabled: boolean): Promise<void> {
    return this.runCommand((frame) => frame.setMicrophone(enabled));
  }
  setCamera(enabled: boolean): Promise<void> {
    return this.runCommand((frame) => frame.setCamera(enabled));
  }
  startScreenShare(): Promise<void> {
    return this.runCommand((frame) => frame.startScreenShare());
  }
  raiseHand(raised: boolean): Promise<void> {
    return this.runCommand((frame) => frame.raiseHand(raised));
  }
  setLayout(layout: 'grid' | 'speaker'): Promise<void> {
    return this.runCommand((frame) => frame.setLayout(layout));
  }

  private async runCommand(command: (frame: ClassroomFrame) => Promise<void>): Promise<void> {
    if (!this.frame) throw new Error('the element shows no classroom: it needs a src and a place in the document');
    await command(this.frame);
  }

  /** Creates a new iframe for each `src`: navigating the old one would add an entry to the browser's history. */
  private renderIframe(): void {
    this.removeIframe();
    if (!this.src) return;
    const iframe = this.ownerDocument.createElement('iframe');
    for (const [name, value] of Object.entries(IFRAME_ATTRIBUTES)) iframe.setAttribute(name, value);
    Object.assign(iframe.style, IFRAME_STYLE);
    iframe.title = this.title;
    load(iframe, this.src);
    this.replaceChildren(iframe);
    this.iframe = iframe;
    this.frame = new ClassroomFrame(iframe);
    for (const type of EVENT_TYPES) {
      this.frame.on(type, (detail, envelope) => {
        this.dispatchEvent(Object.assign(new CustomEvent(type, { detail }), { envelope }));
      });
    }
  }

  private removeIframe(): void {
    this.frame?.close();
    this.iframe?.remove();
    this.frame = undefined;
    this.iframe = undefined;
  }

  /**
   * If `src` was set before the element was defined, it is an own property that hides the accessor. Assigns it again through
   * the accessor.
   */
  private upgradeSrc(): void {
    if (!Object.hasOwn(this, 'src')) return;
    const { src } = this;
    Reflect.deleteProperty(this, 'src');
    this.src = src;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'virtual-classroom': VirtualClassroomElement;
  }
}

/** Registers `<virtual-classroom>` as a custom element. Repeated calls are harmless, and on a server the call does nothing. */
export function defineVirtualClassroom(tag = 'virtual-classroom'): void {
  if (typeof customElements === 'undefined' || customElements.get(tag)) return;
  // A class can be registered under one tag only, so a second tag gets a subclass.
  const isTaken = customElements.getName?.(VirtualClassroomElement) != null;
  customElements.define(tag, isTaken ? class extends VirtualClassroomElement {} : VirtualClassroomElement);
}
