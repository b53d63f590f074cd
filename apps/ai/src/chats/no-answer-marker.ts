import { NO_ANSWER_MARKER } from '../models/ai-provider.js';

/** Removes the mark from the beginning of an answer, however it is split into chunks, and records that it was there. */
export class NoAnswerMarker {
  isUnknown = false;
  private head: string | undefined = '';

  /** Returns the text that may be shown now. */
  push(text: string): string {
    if (this.head === undefined) return text;
    this.head += text;
    const head = this.head.trimStart();
    if (!this.isUnknown && head.length < NO_ANSWER_MARKER.length && NO_ANSWER_MARKER.startsWith(head.toLowerCase())) return '';
    const hasMarker = head.toLowerCase().startsWith(NO_ANSWER_MARKER);
    this.isUnknown ||= hasMarker;
    const shown = hasMarker ? head.slice(NO_ANSWER_MARKER.length).trimStart() : this.isUnknown ? head : this.head;
    // The space after the mark may arrive in a chunk of its own.
    this.head = this.isUnknown && shown === '' ? '' : undefined;
    return shown;
  }

  /** Returns text that was held back and turned out not to be the mark. */
  end(): string {
    const held = this.isUnknown ? '' : (this.head ?? '');
    this.head = undefined;
    return held;
  }
}
