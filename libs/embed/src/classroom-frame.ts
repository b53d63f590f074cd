import { Emitter } from './emitter.js';
import { isEventType, type ClassroomEnvelope, type ClassroomListener } from './event-types.js';
import { Greeting } from './greeting.js';
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

export interface ClassroomFrameOptions {
  /** How long a command may go unanswered. */
  commandTimeoutMs?: number;
}

type Told = { [T in ClassroomEventType]: ClassroomEnvelope<T> };

/**
 * Talks with the classroom in an iframe. It hears that iframe alone, and only while it shows a page of its `src`'s origin;
 * to no other origin does it say anything.
 */
export class ClassroomFrame {
  private readonly events = new Emitter<Told>();
  private readonly pending: PendingCommands;
  private readonly greeting = new Greeting(() => this.greet());
  private readonly host: Window;

  /** @throws TypeError where the iframe is in no window */
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
    if (isLoaded(iframe)) this.greeting.start();
  }

  /** Answers how to stop listening. */
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

  /** Stops listening; commands that are under way are rejected. */
  close(): void {
    this.host.removeEventListener('message', this.receive);
    this.iframe.removeEventListener('load', this.loaded);
    this.greeting.stop();
    this.events.clear();
    this.pending.close();
  }

  /** Resolves once the classroom has done it. @throws Error with the classroom's word why not */
  private command<C extends ClassroomCommand>(command: C, args: ClassroomCommands[C]): Promise<void> {
    return this.pending.add((id) => ({ source: SOURCE, version: VERSION, command, args, id }) as CommandMessage);
  }

  private readonly loaded = (): void => {
    this.greeting.start();
  };

  private readonly receive = ({ source, origin, data }: MessageEvent<unknown>): void => {
    if (source === null || source !== this.iframe.contentWindow || origin !== this.origin || !isOurs(data)) return;
    this.greeting.stop();
    this.pending.open();
    if (data.type === 'command_result') this.pending.settle(data.data as CommandResult);
    else if (isEventType(data.type)) this.events.emit(data.type, data);
  };

  private greet(): void {
    // Before its first page an iframe has our own origin, and every message to another would be a line in the console.
    if (isLoaded(this.iframe)) this.post({ source: SOURCE, version: VERSION, command: 'hello' });
  }

  private post(message: CommandMessage | Hello): void {
    const { origin } = this;
    if (origin === undefined) return;
    // A click in our page is none in the frame's, and sharing a screen takes one: where browsers can, it is handed on.
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

/** The same as `new ClassroomFrame(iframe)`, for an iframe of your own. */
export function connectClassroom(iframe: HTMLIFrameElement, options?: ClassroomFrameOptions): ClassroomFrame {
  return new ClassroomFrame(iframe, options);
}

/** The origin of an http(s) address; undefined for any other, `javascript:` above all. */
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
  // Null: another origin's page is there.
  return contentDocument === null || (contentDocument.readyState === 'complete' && contentDocument.URL !== 'about:blank');
}
