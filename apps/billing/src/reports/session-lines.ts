import { cell } from './csv.js';

const MICROSECONDS_PER_SECOND = 1_000_000;
const DAY_S = 86_400;
/** Bytes of everything in a line but its cells of text. */
const MAX_NUMBERS = 128;
const FIRST_SIZE = 64 * 1024;

const ZERO = '0'.charCodeAt(0);
const COMMA = ','.charCodeAt(0);
const COLON = ':'.charCodeAt(0);
const DOT = '.'.charCodeAt(0);
const Z = 'Z'.charCodeAt(0);
const CRLF = Buffer.from('\r\n');
const ACTIVE = Buffer.from(',Active,');
const COMPLETED = Buffer.from(',Completed,');

/**
 * Writes sessions as lines of the report. One report has millions of them: the bytes are written directly, and what repeats is formatted
 * once.
 */
export class SessionLines {
  private bytes = Buffer.allocUnsafe(FIRST_SIZE);
  private length = 0;
  private day = NaN;
  private dayBytes = Buffer.alloc(0);
  private ip: string | null = null;
  private ipBytes = Buffer.alloc(0);

  /** @param now end of the sessions that are still active */
  constructor(private readonly now: Date) {}

  /**
   * @param head the first cells, which differ between the reports
   * @param joinedAt microseconds since 1970, as `leftAt`
   */
  add(head: Uint8Array, joinedAt: number, leftAt: number | null, ip: string | null): void {
    const address = this.address(ip);
    this.reserve(head.length + address.length + MAX_NUMBERS);
    const end = leftAt ?? this.now.getTime() * 1_000;
    const seconds = Math.max(0, Math.floor((end - joinedAt) / MICROSECONDS_PER_SECOND));
    this.copy(head);
    this.byte(COMMA);
    this.instant(joinedAt);
    this.byte(COMMA);
    if (leftAt !== null) this.instant(leftAt);
    this.byte(COMMA);
    this.minutes(seconds);
    this.byte(COMMA);
    this.minutes(seconds);
    this.copy(leftAt === null ? ACTIVE : COMPLETED);
    this.copy(address);
    this.copy(CRLF);
  }

  /** The lines since the last call, in UTF-8. */
  take(): Uint8Array {
    const taken = this.bytes.subarray(0, this.length);
    this.bytes = Buffer.allocUnsafe(this.bytes.length);
    this.length = 0;
    return taken;
  }

  private reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.length + more, this.bytes.length * 2));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }

  private byte(value: number): void {
    this.bytes[this.length++] = value;
  }

  private copy(text: Uint8Array): void {
    this.bytes.set(text, this.length);
    this.length += text.length;
  }

  /** As `Date.toISOString`. */
  private instant(microseconds: number): void {
    const seconds = Math.floor(microseconds / MICROSECONDS_PER_SECOND);
    const day = Math.floor(seconds / DAY_S);
    if (day !== this.day) {
      this.day = day;
      this.dayBytes = Buffer.from(new Date(day * DAY_S * 1_000).toISOString().slice(0, -'00:00:00.000Z'.length));
    }
    const second = seconds - day * DAY_S;
    const milliseconds = Math.floor((microseconds - seconds * MICROSECONDS_PER_SECOND) / 1_000);
    this.copy(this.dayBytes);
    this.twoDigits(Math.floor(second / 3_600));
    this.byte(COLON);
    this.twoDigits(Math.floor(second / 60) % 60);
    this.byte(COLON);
    this.twoDigits(second % 60);
    this.byte(DOT);
    this.byte(ZERO + Math.floor(milliseconds / 100));
    this.twoDigits(milliseconds % 100);
    this.byte(Z);
  }

  /** As `minutes` in csv.ts. A sixtieth is never halfway between two hundredths, so both round alike. */
  private minutes(seconds: number): void {
    const hundredths = Math.round((seconds * 5) / 3);
    const whole = Math.floor(hundredths / 100);
    if (whole < 10) this.byte(ZERO + whole);
    else if (whole < 100) this.twoDigits(whole);
    else this.copy(Buffer.from(String(whole)));
    this.byte(DOT);
    this.twoDigits(hundredths - whole * 100);
  }

  private twoDigits(value: number): void {
    this.byte(ZERO + Math.floor(value / 10));
    this.byte(ZERO + (value % 10));
  }

  private address(ip: string | null): Buffer {
    if (ip !== this.ip) {
      this.ip = ip;
      this.ipBytes = Buffer.from(cell(ip));
    }
    return this.ipBytes;
  }
}
