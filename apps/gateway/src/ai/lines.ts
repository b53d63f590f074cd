/** Splits bytes into lines. The bytes may be cut anywhere, even within a character. */
export class Lines {
  private readonly decoder = new TextDecoder();
  private begun: string[] = [];

  /** @returns the lines that these bytes completed */
  push(bytes: Uint8Array): string[] {
    const [end = '', ...others] = this.decoder.decode(bytes, { stream: true }).split('\n');
    this.begun.push(end);
    if (others.length === 0) return [];
    // Joined only once, because a line of audio spans many frames.
    const first = this.begun.join('');
    this.begun = [others.pop() ?? ''];
    return [first, ...others];
  }
}
