'use strict';

// HTTP/1.1 over bare sockets: the bytes of each request are made before, so that the load takes little from what is measured.
const net = require('node:net');

const END_OF_HEAD = Buffer.from('\r\n\r\n');

/** @param {string} method @param {string} address @param {Record<string, string>} headers @param {string | object} [body] */
function request(method, address, headers, body) {
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  const all = { host: '127.0.0.1', 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), ...headers };
  if (body === undefined) Reflect.deleteProperty(all, 'content-type');
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.from(`${method} ${address} HTTP/1.1\r\n${head}\r\n${text}`);
}

/** One connection, one request at a time. */
class Line {
  /** @param {number} port */
  constructor(port) {
    this.socket = net.connect({ port, host: '127.0.0.1', noDelay: true });
    this.received = Buffer.alloc(0);
    this.socket.on('data', (chunk) => this.take(chunk));
    this.socket.on('error', (error) => this.reject?.(error));
    this.socket.on('close', () => this.reject?.(new Error('the connection was closed')));
  }

  /** @param {Buffer} bytes @returns {Promise<number>} the answer's status */
  send(bytes) {
    return new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
      this.socket.write(bytes);
    });
  }

  /** @param {Buffer} chunk */
  take(chunk) {
    this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk]);
    const end = this.received.indexOf(END_OF_HEAD);
    if (end < 0) return;
    const head = this.received.latin1Slice(0, end);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1]);
    if (Number.isNaN(length)) return this.reject?.(new Error('an answer without a length'));
    if (this.received.length < end + END_OF_HEAD.length + length) return;
    this.received = Buffer.alloc(0);
    this.resolve?.(Number(head.slice(9, 12)));
  }

  close() {
    this.reject = undefined;
    this.socket.destroy();
  }
}

/**
 * Sends every request once.
 * @param {number} port @param {readonly Buffer[]} requests @param {number} connections
 * @returns {Promise<number[]>} how long each took, in milliseconds
 * @throws {Error} where an answer is no success
 */
async function sendAll(port, requests, connections) {
  const took = /** @type {number[]} */ ([]);
  let next = 0;
  const one = async () => {
    const line = new Line(port);
    try {
      while (next < requests.length) {
        const started = performance.now();
        const status = await line.send(requests[next++]);
        if (status >= 300) throw new Error(`an answer of ${status} to ${requests[next - 1].latin1Slice(0, 80)}`);
        took.push(performance.now() - started);
      }
    } finally {
      line.close();
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
  return took;
}

module.exports = { request, sendAll };
