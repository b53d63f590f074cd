import { UNKNOWN_MARK } from '../models/ai-provider.js';

/** Takes the mark off the beginning of an answer, in however many pieces it comes, and remembers that it was there. */
export class UnknownMark {
  isUnknown = false;
  private head: string | undefined = '';

  /** What may be shown of it now. */
  push(text: string): string {
    if (this.head === undefined) return text;
    this.head += text;
    const head = this.head.trimStart();
    if (!this.isUnknown && head.length < UNKNOWN_MARK.length && UNKNOWN_MARK.startsWith(head.toLowerCase())) return '';
    const isMarked = head.toLowerCase().startsWith(UNKNOWN_MARK);
    this.isUnknown ||= isMarked;
    const shown = isMarked ? head.slice(UNKNOWN_MARK.length).trimStart() : this.isUnknown ? head : this.head;
    // The space behind the mark may come in a piece of its own.
    this.head = this.isUnknown && shown === '' ? '' : undefined;
    return shown;
  }

  /** What was held back and is no mark after all. */
  end(): string {
    const held = this.isUnknown ? '' : (this.head ?? '');
    this.head = undefined;
    return held;
  }
}
