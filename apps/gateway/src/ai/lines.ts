/** Lines out of bytes that are cut anywhere, within a character too. */
export class Lines {
  private readonly decoder = new TextDecoder();
  private begun: string[] = [];

  /** Those that these bytes completed. */
  push(bytes: Uint8Array): string[] {
    const [end = '', ...others] = this.decoder.decode(bytes, { stream: true }).split('\n');
    this.begun.push(end);
    if (others.length === 0) return [];
    // Joined once: a line of sound is many frames long.
    const first = this.begun.join('');
    this.begun = [others.pop() ?? ''];
    return [first, ...others];
  }
}
