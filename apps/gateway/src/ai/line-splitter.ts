/** Splits bytes into lines. The bytes may be cut anywhere, even within a character. */
export class LineSplitter {
  private readonly decoder = new TextDecoder();
  private partial: string[] = [];

  /** @returns the lines that these bytes completed */
  push(bytes: Uint8Array): string[] {
    const [end = '', ...others] = this.decoder.decode(bytes, { stream: true }).split('\n');
    this.partial.push(end);
    if (others.length === 0) return [];
    // Joined only once, because a line of audio spans many frames.
    const first = this.partial.join('');
    this.partial = [others.pop() ?? ''];
    return [first, ...others];
  }
}
