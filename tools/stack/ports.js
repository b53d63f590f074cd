'use strict';

const dgram = require('node:dgram');
const fs = require('node:fs');
const net = require('node:net');
const path = require('node:path');
const { StackError } = require('./errors');

/** Ports of one stack: a block of 50 that starts at STACK_PORT_BASE. */
const BLOCK = 50;
const FIRST = 10_000;
/** 450 blocks end at 32,499: below Linux's ephemeral range (32,768), where any outgoing connection could sit on a port of ours. */
const BLOCKS = 450;

const OFFSETS = { postgres: 0, nats: 1, natsMonitor: 2, redis: 3, livekit: 4, livekitUdp: 5, livekitTcp: 6, s3: 7, media: 8 };
const FIRST_PROBE = 10;
const TEST_GATEWAY = 48;
const TEST_CLAIM = 49;

/** @param {number} gatewayPort */
function derivePortBase(gatewayPort) {
  return FIRST + (gatewayPort % BLOCKS) * BLOCK;
}

/** @param {string | undefined} text @param {string} name @param {number} fallback */
function portFrom(text, name, fallback) {
  if (text === undefined || text === '') return fallback;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new StackError(`${name}=${text} is not a port: set it to a number from 1 to 65535.`);
  }
  return port;
}

/**
 * @param {number} portBase @param {readonly string[]} appNames in the order of apps.js, so that a port doesn't depend on what is started
 */
function layOut(portBase, appNames) {
  /** @type {Record<string, number>} */
  const parts = {};
  for (const [name, offset] of Object.entries(OFFSETS)) parts[name] = portBase + offset;
  /** @type {Record<string, number>} */
  const probes = {};
  appNames.forEach((name, index) => { probes[name] = portBase + FIRST_PROBE + index; });
  return { base: portBase, parts, probes };
}

/** @param {number} port @param {'tcp' | 'udp'} [protocol] @returns {Promise<boolean>} */
function isFree(port, protocol = 'tcp') {
  return new Promise((resolve) => {
    if (protocol === 'udp') {
      const socket = dgram.createSocket('udp4');
      socket.once('error', () => { socket.close(); resolve(false); });
      socket.bind(port, '127.0.0.1', () => socket.close(() => resolve(true)));
      return;
    }
    const server = net.createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/**
 * Who listens there, for the message; a best effort over /proc (Linux, own or root's view).
 * @param {number} port @returns {string | undefined} such as `node (pid 4711)`
 */
function holderOf(port) {
  try {
    const hex = port.toString(16).toUpperCase().padStart(4, '0');
    const inodes = new Set();
    for (const table of ['tcp', 'tcp6', 'udp', 'udp6']) {
      for (const line of fs.readFileSync(`/proc/net/${table}`, 'utf8').split('\n').slice(1)) {
        const cells = line.trim().split(/\s+/);
        const isBound = cells[3] === (table.startsWith('tcp') ? '0A' : '07');
        if (isBound && cells[1]?.endsWith(`:${hex}`)) inodes.add(`socket:[${cells[9]}]`);
      }
    }
    for (const pid of fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      let links;
      try {
        links = fs.readdirSync(`/proc/${pid}/fd`).map((fd) => `/proc/${pid}/fd/${fd}`);
      } catch { continue; }
      for (const link of links) {
        try {
          if (inodes.has(fs.readlinkSync(link))) return `${path.basename(fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split(/[\0 ]/)[0])} (pid ${pid})`;
        } catch { /* closed meanwhile */ }
      }
    }
  } catch { /* no /proc: the message does without */ }
  return undefined;
}

/**
 * @param {Array<{ what: string, port: number, protocol?: 'tcp' | 'udp', setting?: string }>} wanted
 * @throws {StackError} names the first port that is taken, its holder where known, and the setting that moves it
 */
async function refuseTakenPorts(wanted) {
  for (const { what, port, protocol, setting = 'STACK_PORT_BASE' } of wanted) {
    if (await isFree(port, protocol)) continue;
    const holder = holderOf(port);
    const other = setting === 'GATEWAY_PORT' ? `GATEWAY_PORT=${port + 1}` : `STACK_PORT_BASE=<first of ${BLOCK} free ports>`;
    throw new StackError(`Port ${port} (${what}) is taken${holder ? ` by ${holder}` : ''}: stop that program, or choose another port with ${other} npm start.`);
  }
}

/**
 * A block of ports that nothing uses, for a test's own stack. The block's last port stays bound as the claim,
 * so that two test processes that pick at once never get the same block; `release` gives it back.
 * @returns {Promise<{ portBase: number, gatewayPort: number, release: () => void }>}
 */
async function pickPorts() {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const portBase = FIRST + Math.floor(Math.random() * BLOCKS) * BLOCK;
    const claim = net.createServer();
    const isOurs = await new Promise((resolve) => {
      claim.once('error', () => resolve(false));
      claim.listen(portBase + TEST_CLAIM, '127.0.0.1', () => resolve(true));
    });
    if (!isOurs) continue;
    const rest = Array.from({ length: TEST_CLAIM }, (_, offset) => portBase + offset);
    const free = await Promise.all(rest.map((port) => isFree(port)));
    if (free.every(Boolean) && (await isFree(portBase + OFFSETS.livekitUdp, 'udp'))) {
      claim.unref();
      return { portBase, gatewayPort: portBase + TEST_GATEWAY, release: () => claim.close() };
    }
    claim.close();
  }
  throw new StackError('No block of 50 free ports between 10000 and 32500: stop what uses them.');
}

module.exports = { BLOCK, OFFSETS, derivePortBase, portFrom, layOut, isFree, holderOf, refuseTakenPorts, pickPorts };
