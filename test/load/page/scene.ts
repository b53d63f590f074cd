import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createRequire } from 'node:module';
import { randomUUID } from 'node:crypto';
import { startStack, pickPorts, type Stack } from '../../../tools/stack/index.ts';
import type { Browser } from 'playwright-core';

/** Loads packages of the system tests, because these scripts have no dependencies of their own. */
export const needs = createRequire(path.join(import.meta.dirname, '..', '..', 'system', 'package.json'));
const APPS = ['organization', 'room', 'gateway', 'billing', 'recording', 'ai'];
const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** The fields of answers that are read here. */
interface Data {
  id: string;
  organizationId: string;
  room: { sid: string };
  token: string;
  iframeUrl: string;
  classroomToken: string;
  pollId: string;
}

/** A separate stack with one organization, and browsers that are closed with it. */
export class Scene {
  /**
   * @param organization additional settings of the school: branding, domains
   * @param sandbox whether its clock stands still and its LiveKit is simulated
   */
  static async start(organization: object = {}, { sandbox = false } = {}) {
    const scene = new Scene();
    const { portBase, gatewayPort, release } = await pickPorts();
    try {
      const home = fs.mkdtempSync(path.join(os.tmpdir(), 'classroom-page-'));
      scene.stack = await startStack({
        home,
        portBase,
        gatewayPort,
        external: false,
        apps: APPS,
        sandbox,
        env: { gateway: { RATE_LIMIT_PER_MINUTE: '10000000' } },
      });
    } finally {
      release();
    }
    const billing = { type: 'PREPAID', credits: 1000, creditRate: 0.01, currency: 'USD' };
    const made = await scene.call(
      'POST',
      '/v1/admin/organizations',
      { name: 'Linden School', billing, ...organization },
      { 'X-Dispatch-Secret': scene.stack.secrets.dispatchSecret },
    );
    scene.value = made.organizationId;
    scene.organizationId = made.id;
    return scene;
  }

  stack!: Stack;
  /** Of VF-ORG-ID. */
  value = '';
  organizationId = '';
  private readonly browsers: Browser[] = [];

  get livekitUrl() {
    return this.stack.urls.livekitPublic;
  }

  /** @returns `data` of the answer */
  async call(method: string, target: string, body?: object, headers: Record<string, string> = { 'VF-ORG-ID': this.value }): Promise<Data> {
    const response = await fetch(`${this.stack.urls.gateway}${target}`, {
      method,
      headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${target}: ${response.status} ${text}`);
    return (JSON.parse(text) as { data: Data }).data;
  }

  async room(overrides: object): Promise<{ roomId: string; sid: string; iframeUrl: string; token: string }> {
    const roomId = `room-${randomUUID()}`;
    const { room, token, iframeUrl } = await this.call('POST', '/v1/room/create', {
      roomId,
      customization: { showLobby: false },
      ...overrides,
    });
    return { roomId, sid: room.sid, token, iframeUrl };
  }

  join(roomId: string, participant: { uid: string; name: string; role: string }): Promise<{ token: string; iframeUrl: string }> {
    return this.call('POST', `/v1/room/${roomId}/join`, { participant });
  }

  /** @returns the token with which that participant's page calls the API */
  async classroomToken(token: string) {
    return (await this.call('POST', '/v1/classroom/session', undefined, { authorization: `Bearer ${token}` })).classroomToken;
  }

  /** @returns a link to the school's console, for one of its staff */
  async consoleLink(role: 'OWNER' | 'MEMBER' = 'OWNER'): Promise<string> {
    const { token } = await this.call(
      'POST',
      `/v1/admin/organizations/${this.organizationId}/dashboard-tokens`,
      { subject: 'head@linden.example', role },
      { 'X-Dispatch-Secret': this.stack.secrets.dispatchSecret },
    );
    return `${this.stack.urls.gateway}/console#token=${token}`;
  }

  async browser(args: string[] = []): Promise<Browser> {
    const { chromium } = needs('playwright-core') as typeof import('playwright-core');
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
