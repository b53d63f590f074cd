'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { createRequire } = require('node:module');
const { randomUUID } = require('node:crypto');
const { startStack, pickPorts } = require('../../../tools/stack/index.ts');

/** Packages of the system tests: these scripts have none of their own. */
const needs = createRequire(require.resolve('../../system/package.json'));
const APPS = ['organization', 'room', 'gateway', 'billing', 'recording', 'ai'];
const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** A stack of its own with one organization, and browsers that end with it. */
class Scene {
  /** @param {object} [organization] what the school has of its own: branding, domains */
  static async start(organization = {}) {
    const scene = new Scene();
    const { portBase, gatewayPort, release } = await pickPorts();
    try {
      const home = fs.mkdtempSync(path.join(os.tmpdir(), 'classroom-page-'));
      scene.stack = await startStack({ home, portBase, gatewayPort, external: false, apps: APPS, env: { gateway: { RATE_LIMIT_PER_MINUTE: '10000000' } } });
    } finally {
      release();
    }
    const billing = { type: 'PREPAID', credits: 1000, creditRate: 0.01, currency: 'USD' };
    const made = await scene.call('POST', '/v1/admin/organizations', { name: 'Linden School', billing, ...organization }, { 'X-Dispatch-Secret': scene.stack.secrets.dispatchSecret });
    scene.organizationId = made.organizationId;
    return scene;
  }

  constructor() {
    /** @type {any} */
    this.stack = undefined;
    this.organizationId = '';
    /** @type {import('playwright-core').Browser[]} */
    this.browsers = [];
  }

  get livekitUrl() {
    return this.stack.urls.livekitPublic;
  }

  /** `data` of the answer. @param {string} method @param {string} target @param {object} [body] @param {Record<string, string>} [headers] @returns {Promise<any>} */
  async call(method, target, body, headers = { 'VF-ORG-ID': this.organizationId }) {
    const response = await fetch(`${this.stack.urls.gateway}${target}`, {
      method,
      headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${target}: ${response.status} ${text}`);
    return JSON.parse(text).data;
  }

  /** @param {object} overrides @returns {Promise<{ roomId: string, sid: string, iframeUrl: string, token: string }>} */
  async room(overrides) {
    const roomId = `room-${randomUUID()}`;
    const { room, token, iframeUrl } = await this.call('POST', '/v1/room/create', { roomId, customization: { showLobby: false }, ...overrides });
    return { roomId, sid: room.sid, token, iframeUrl };
  }

  /** @param {string} roomId @param {{ uid: string, name: string, role: string }} participant @returns {Promise<{ token: string, iframeUrl: string }>} */
  join(roomId, participant) {
    return this.call('POST', `/v1/room/${roomId}/join`, { participant });
  }

  /** What the page of that participant calls the API with. @param {string} token */
  async classroomToken(token) {
    return (await this.call('POST', '/v1/classroom/session', undefined, { authorization: `Bearer ${token}` })).classroomToken;
  }

  /** @param {string[]} [args] @returns {Promise<import('playwright-core').Browser>} */
  async browser(args = []) {
    const { chromium } = needs('playwright-core');
    const devices = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', ...devices, ...args] });
    this.browsers.push(browser);
    return browser;
  }

  async stop() {
    await Promise.all(this.browsers.map((browser) => browser.close()));
    await this.stack?.stop({ wipe: true });
  }
}

module.exports = { Scene, needs };
