import type { ClassroomEvents, ClassroomEventType, CommandResult, Envelope, SOURCE, VERSION } from '@virtual-classroom/embed';
import { CommandRunner, type CommandHandler, parseHostMessage } from './commands.js';

const PROTOCOL: { source: typeof SOURCE; version: typeof VERSION } = { source: 'virtual-classroom', version: 1 };
/** How many messages are kept for a host that has not opened the channel. The oldest are dropped. */
const MAX_PENDING = 200;

export interface Embedding {
  roomId: string;
  /** The organization's verified domains. If empty, only a page of our own origin may embed the class. */
  verifiedDomains: readonly string[];
}

export interface Bridge {
  /** Sends an event to the host page. It is kept until `identify` was called and the channel is open. */
  emit<T extends ClassroomEventType>(type: T, data: ClassroomEvents[T]): void;
  /** Sets the handler; there is only one. The message of an error that it throws becomes the result's `error`. */
  onCommand(handler: CommandHandler): void;
  /** Sets the room and the verified domains, for a page that sends events before it has a session. */
  identify(embedding: Embedding): void;
  /** Host name and port of the page that may send commands; empty if there is none. */
  readonly hostName: string;
  close(): void;
}

type PendingMessage = Omit<Envelope<string, unknown>, 'roomId'>;

/** Connects this page with the page that embeds it. If this page is not framed, the bridge does nothing. */
export function createBridge({ window, ...embedding }: { window: Window } & Partial<Embedding>): Bridge {
  if (window.parent === window) return NOOP_BRIDGE;
  const bridge = new FrameBridge(window);
  const { roomId, verifiedDomains } = embedding;
  if (roomId !== undefined && verifiedDomains) bridge.identify({ roomId, verifiedDomains });
  return bridge;
}

const noop = () => undefined;
const NOOP_BRIDGE: Bridge = { emit: noop, onCommand: noop, identify: noop, hostName: '', close: noop };

class FrameBridge implements Bridge {
  private embedding: Embedding | undefined;
  /** The origin that receives events and may send commands: the parent's, once it is verified. */
  private host: string | undefined;
  private pending: PendingMessage[] = [];
  private seq = 0;
  private readonly runner = new CommandRunner((result) => this.send('command_result', result));

  constructor(private readonly window: Window) {
    window.addEventListener('message', this.receive);
  }

  emit<T extends ClassroomEventType>(type: T, data: ClassroomEvents[T]): void {
    this.send(type, data);
  }

  onCommand(handler: CommandHandler): void {
    this.runner.handler = handler;
  }

  identify(embedding: Embedding): void {
    this.embedding = embedding;
    const parent = parentOrigin(this.window);
    if (this.host !== undefined && !this.isAllowed(this.host)) this.host = undefined;
    if (parent !== undefined && this.host === undefined && this.isAllowed(parent)) this.host = parent;
    this.flush();
  }

  get hostName(): string {
    return this.host === undefined ? '' : new URL(this.host).host;
  }

  close(): void {
    this.window.removeEventListener('message', this.receive);
    this.pending = [];
    this.host = undefined;
    this.embedding = undefined;
  }

  private readonly receive = ({ source, origin, data }: MessageEvent<unknown>): void => {
    if (source !== this.window.parent) return;
    const message = parseHostMessage(data);
    if (!message) return;
    if ('hello' in message) {
      // The referrer may name a page that only linked to the parent. The origin of a message event is always the parent itself.
      if (this.isAllowed(origin)) this.host = origin;
      this.flush();
    } else if (this.host !== undefined && origin === this.host) {
      this.runner.runOnce(message);
    }
  };

  private isAllowed(origin: string): boolean {
    if (!this.embedding) return false;
    const { verifiedDomains } = this.embedding;
    return verifiedDomains.length === 0 ? origin === this.window.location.origin && origin !== 'null' : isVerified(origin, verifiedDomains);
  }

  private send(type: ClassroomEventType | 'command_result', data: ClassroomEvents[ClassroomEventType] | CommandResult): void {
    this.seq += 1;
    this.pending.push({ ...PROTOCOL, type, timestamp: new Date().toISOString(), seq: this.seq, data });
    this.flush();
    if (this.pending.length > MAX_PENDING) this.pending.shift();
  }

  private flush(): void {
    if (this.host === undefined || !this.embedding) return;
    const { roomId } = this.embedding;
    for (const message of this.pending.splice(0)) this.window.parent.postMessage({ ...message, roomId }, this.host);
  }
}

/**
 * The parent's origin, if the browser reveals it. A parent that hides its origin appears as 'null'; without a referrer it must
 * send a hello.
 */
function parentOrigin({ location, document }: Window): string | undefined {
  const ancestor = location.ancestorOrigins?.[0];
  if (ancestor !== undefined && ancestor !== 'null') return ancestor;
  return URL.canParse(document.referrer) ? new URL(document.referrer).origin : undefined;
}

const DEFAULT_PORTS: Record<string, string> = { 'https:': '443', 'http:': '80' };
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * Whether an origin, as a browser writes it, is one of an organization's verified domains: `school.example` or
 * `*.school.example` (all subdomains, but not the domain itself), with a port unless it is the scheme's default. The same rules
 * as `frame-ancestors`, except that http is accepted only from loopback.
 */
export function isVerified(origin: string, verifiedDomains: readonly string[]): boolean {
  const url = parse(origin);
  if (!url) return false;
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) return false;
  return verifiedDomains.some((domain) => matches(url, domain.toLowerCase()));
}

/** Rejects values that no browser sends as an http(s) origin: with a path, a user name or upper-case letters. */
function parse(origin: string): URL | undefined {
  if (!URL.canParse(origin)) return undefined;
  const url = new URL(origin);
  return url.protocol in DEFAULT_PORTS && url.origin === origin ? url : undefined;
}

function matches({ protocol, hostname, port }: URL, domain: string): boolean {
  const [, host = '', listedPort] = /^(.*?)(?::(\d+))?$/.exec(domain) ?? [];
  const ownPort = DEFAULT_PORTS[protocol];
  if ((port || ownPort) !== (listedPort ?? ownPort)) return false;
  return host.startsWith('*.') ? hostname.length >= host.length && hostname.endsWith(host.slice(1)) : hostname === host;
}
