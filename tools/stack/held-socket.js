'use strict';

const net = require('node:net');

/**
 * A port that stays bound while the process that serves it is started again: connections wait in the kernel's queue instead of being refused.
 * LiveKit drops a webhook some 15 s after the first refusal, and waits for minutes where it is connected. Nothing is accepted here.
 */
class HeldSocket {
  /** @param {string} host an IPv4 address @param {number} port */
  constructor(host, port) {
    Object.assign(this, { host, port });
    /** @type {{ fd: number, close: () => void } | undefined} */
    this.handle = undefined;
  }

  /** @returns {number} the file descriptor, for a child to listen on @throws when the port is taken */
  open() {
    if (!this.handle) {
      const { host, port } = /** @type {any} */ (this);
      // What node:cluster binds with. The public API has no way to bind without accepting.
      const made = /** @type {any} */ (net)._createServerHandle(host, port, 4, -1);
      if (typeof made === 'number') throw new Error(`port ${port} can't be bound (${made})`);
      this.handle = made;
    }
    return /** @type {{ fd: number }} */ (this.handle).fd;
  }

  /** From here on connections are refused as soon as no process listens. */
  close() {
    this.handle?.close();
    this.handle = undefined;
  }
}

module.exports = { HeldSocket };
