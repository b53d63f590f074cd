import { Emitter } from './emitter.js';
import { isEventType, type ClassroomEnvelope, type ClassroomListener } from './event-types.js';
import { PendingCommands } from './pending-commands.js';
import {
  SOURCE,
  VERSION,
  type ClassroomCommand,
  type ClassroomCommands,
  type ClassroomEvents,
  type ClassroomEventType,
  type CommandMessage,
  type CommandResult,
  type Hello,
  type OutgoingMessage,
} from './protocol.js';

const MIN_DELAY_MS = 250;
const MAX_DELAY_MS = 5_000;
/** 20 attempts take more than a minute. A page that has not answered by then was not allowed in the frame, and each hello logs an error. */
const MAX_ATTEMPTS = 20;

/** Repeats `hello` until the classroom page answers: the page misses messages sent before it runs, and does not report when it is ready. */
class HelloSender {
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly sendHello: () => void) {}

  start(): void {
    this.stop();
    this.send(1);
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private send(attempt: number): void {
    this.sendHello();
    if (attempt < MAX_ATTEMPTS)
      this.timer = setTimeout(() => this.send(attempt + 1), Math.min(MIN_DELAY_MS * 2 ** (attempt - 1), MAX_DELAY_MS));
  }
}

export interface ClassroomFrameOptions {
  /** How long to wait for the answer to a command, in milliseconds. Default: 10,000. */
  commandTimeoutMs?: number;
}

type EventEnvelopes = { [T in ClassroomEventType]: ClassroomEnvelope<T> };

/**
 * Exchanges messages with the classroom page in an iframe. It accepts messages only from that iframe, and only while the iframe
 * shows a page of its `src`'s origin. It posts messages to that origin only.
 */
export class ClassroomFrame {
  private readonly events = new Emitter<EventEnvelopes>();
  private readonly pending: PendingCommands;
  private readonly helloSender = new HelloSender(() => this.sendHello());
  private readonly host: Window;

  /** @throws TypeError if the iframe's document has no window */
  constructor(
    private readonly iframe: HTMLIFrameElement,
    { commandTimeoutMs = 10_000 }: ClassroomFrameOptions = {},
  ) {
    const host = iframe.ownerDocument.defaultView;
    if (!host) throw new TypeError('the iframe must be in a document that is shown');
    this.host = host;
    this.pending = new PendingCommands((message) => this.post(message), commandTimeoutMs);
    host.addEventListener('message', this.receive);
    iframe.addEventListener('load', this.loaded);
    if (isLoaded(iframe)) this.helloSender.start();
  }

  /** Adds a listener. @returns a function that removes it */
  on<T extends ClassroomEventType>(type: T, listener: ClassroomListener<T>): () => void {
    return this.events.on(type, (envelope) => listener(envelope.data as ClassroomEvents[T], envelope));
  }

  leave(): Promise<void> {
    return this.command('leave', {});
  }
  setMicrophone(enabled: boolean): Promise<void> {
    return this.command('set_microphone', { enabled });
  }
  setCamera(enabled: boolean): Promise<void> {
    return this.command('set_camera', { enabled });
  }
  startScreenShare(): Promise<void> {
    return this.command('start_screen_share', {});
  }
  raiseHand(raised: boolean): Promise<void> {
    return this.command('raise_hand', { raised });
  }
  setLayout(layout: 'grid' | 'speaker'): Promise<void> {
    return this.command('set_layout', { layout });
  }

  /** Removes all listeners and rejects the pending commands. */
  close(): void {
    this.host.removeEventListener('message', this.receive);
    this.iframe.removeEventListener('load', this.loaded);
    this.helloSender.stop();
    this.events.clear();
    this.pending.close();
  }

  /**
   * Resolves when the classroom has carried out the command.
   * @throws Error with the reason that the classroom reports, or after a timeout
   */
  private command<C extends ClassroomCommand>(command: C, args: ClassroomCommands[C]): Promise<void> {
    return this.pending.add((id) => ({ source: SOURCE, version: VERSION, command, args, id }) as CommandMessage);
  }

  private readonly loaded = (): void => {
    this.helloSender.start();
  };

  private readonly receive = ({ source, origin, data }: MessageEvent<unknown>): void => {
    if (source === null || source !== this.iframe.contentWindow || origin !== this.origin || !isOurs(data)) return;
    this.helloSender.stop();
    this.pending.open();
    if (data.type === 'command_result') this.pending.settle(data.data as CommandResult);
    else if (isEventType(data.type)) this.events.emit(data.type, data);
  };

  private sendHello(): void {
    // Until its first page has loaded, an iframe has the host page's origin. A message for another origin would log an error in
    // the console.
    if (isLoaded(this.iframe)) this.post({ source: SOURCE, version: VERSION, command: 'hello' });
  }

  private post(message: CommandMessage | Hello): void {
    const { origin } = this;
    if (origin === undefined) return;
    // Screen sharing needs a user gesture, and a click in the host page does not count in the iframe. Browsers that support it delegate it.
    const isShare = message.command === 'start_screen_share' && this.host.navigator.userActivation?.isActive;
    const options: WindowPostMessageOptions & { delegate?: string } = {
      targetOrigin: origin,
      ...(isShare ? { delegate: 'display-capture' } : {}),
    };
    this.iframe.contentWindow?.postMessage(message, options);
  }

  private get origin(): string | undefined {
    return webOrigin(this.iframe.src);
  }
}

/** The same as `new ClassroomFrame(iframe)`, for an iframe that you created. */
export function connectClassroom(iframe: HTMLIFrameElement, options?: ClassroomFrameOptions): ClassroomFrame {
  return new ClassroomFrame(iframe, options);
}

/** The origin of an http or https URL; undefined for any other URL, in particular `javascript:`. */
export function webOrigin(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, origin } = new URL(address);
  return protocol === 'https:' || protocol === 'http:' ? origin : undefined;
}

function isOurs(data: unknown): data is OutgoingMessage {
  const message = data as Partial<OutgoingMessage> | null | undefined;
  return typeof message === 'object' && message?.source === SOURCE && message.version === VERSION && isObject(message.data);
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null;

function isLoaded({ contentDocument, contentWindow }: HTMLIFrameElement): boolean {
  if (!contentWindow) return false;
  // A contentDocument of null means that the iframe shows a page of another origin.
  return contentDocument === null || (contentDocument.readyState === 'complete' && contentDocument.URL !== 'about:blank');
}
