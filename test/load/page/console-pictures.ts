// node tools/bootstrap.cjs test/load/page/console-pictures.ts
// Regenerates the console's pictures of docs/images. A school plays most of a month in a sandbox; the browser has the sandbox's time.
import path from 'node:path';
import { NAMES, uidOf } from './names.ts';
import { Scene } from './scene.ts';
import type { Browser } from 'playwright-core';

const FOLDER = path.join(import.meta.dirname, '..', '..', '..', 'docs', 'images');
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const SCHOOL_DAYS = 17;
/** Time until charts are drawn, in milliseconds. */
const SETTLE_MS = 1_500;
const TITLES = ['Geometry 8b', 'Biology 7a', 'French for beginners', 'Physics: waves', 'Art history', 'Statistics 10c', 'Music theory'];
const DESKTOP = { viewport: { width: 1280, height: 900 }, locale: 'en-GB', timezoneId: 'UTC' };

/** The classes of a school, on the sandbox's clock. */
class School {
  private connections = new Map<string, string>();
  private now = new Date();
  private rooms = 0;

  readonly scene: Scene;

  constructor(scene: Scene) {
    this.scene = scene;
  }

  private async post(target: string, body: object): Promise<string> {
    const response = await fetch(`http://127.0.0.1:${this.scene.stack.ports.parts.sandbox}${target}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok || text.includes('"error"')) throw new Error(`${target}: ${text}`);
    return text;
  }

  async advanceTo(to: Date): Promise<void> {
    await this.post('/clock/advance', { to: to.toISOString() });
    this.now = to;
  }

  advance = (minutes: number) => this.advanceTo(new Date(this.now.getTime() + minutes * MINUTE_MS));

  async begin(title: string, teacher = NAMES[0] ?? ''): Promise<string> {
    const roomId = `${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}-${(this.rooms += 1)}`;
    const participant = { uid: uidOf(teacher), name: teacher, role: 'TEACHER' };
    await this.scene.call('POST', '/v1/room/create', { roomId, title, participant });
    return roomId;
  }

  /** The first who enters a room is its teacher. */
  async enter(roomId: string, names: readonly string[]): Promise<void> {
    const isNew = ![...this.connections.keys()].some((key) => key.startsWith(`${roomId} `));
    const tokens = [];
    for (const [n, name] of names.entries()) {
      const role = n === 0 && isNew ? 'TEACHER' : 'STUDENT';
      tokens.push((await this.scene.join(roomId, { uid: uidOf(name), name, role })).token);
    }
    const joined = JSON.parse(await this.post('/robots/join', { tokens })) as { sid: string }[];
    names.forEach((name, n) => this.connections.set(`${roomId} ${name}`, joined[n]?.sid ?? ''));
  }

  async leave(roomId: string, names: readonly string[]): Promise<void> {
    await this.post('/robots/leave', { connections: names.map((name) => this.connections.get(`${roomId} ${name}`)) });
  }

  end = (roomId: string) => this.scene.call('DELETE', `/v1/room/${roomId}`);

  /** Classes of different sizes, side by side from eight o’clock. */
  async day(midnight: Date, day: number): Promise<void> {
    await this.advanceTo(new Date(midnight.getTime() + 8 * 60 * MINUTE_MS));
    const rooms = await Promise.all(TITLES.slice(0, 4 + ((day * 5) % 4)).map((title) => this.begin(title)));
    for (const [n, roomId] of rooms.entries()) await this.enter(roomId, NAMES.slice(0, 10 + ((day * 7 + n * 5) % 15)));
    await this.advance(45);
    await Promise.all(rooms.map((roomId) => this.end(roomId)));
  }

  /** A class in which students come one after the other, one comes back, and one leaves early. */
  async lesson(): Promise<string> {
    const roomId = await this.begin('Algebra: quadratic equations');
    const [teacher = '', ...students] = NAMES.slice(0, 7);
    const [first = '', second = ''] = students;
    await this.enter(roomId, [teacher]);
    for (const student of students) {
      await this.advance(1);
      await this.enter(roomId, [student]);
    }
    await this.advance(14);
    await this.leave(roomId, [second]);
    await this.advance(6);
    await this.enter(roomId, [second]);
    await this.advance(11);
    await this.leave(roomId, [first]);
    await this.advance(8);
    await this.end(roomId);
    return roomId;
  }

  get time(): Date {
    return this.now;
  }
}

async function photograph(browser: Browser, school: School, roomId: string) {
  const { scene } = school;
  const link = await scene.consoleLink('MEMBER');
  const shoot = async (name: string, address: string, context: object, { isWhole = false, ready = '' } = {}) => {
    const profile = await browser.newContext({ ...DESKTOP, ...context });
    const page = await profile.newPage();
    await page.clock.setFixedTime(school.time);
    if (address.includes('/operator')) {
      await page.addInitScript(`sessionStorage.setItem('console-operator-key', ${JSON.stringify(scene.stack.secrets.dispatchSecret)})`);
    } else {
      await page.goto(link);
      await page.waitForSelector('[data-page=rooms]');
    }
    await page.goto(`${scene.stack.urls.gateway}/console${address}`);
    await page.waitForSelector(ready || 'main h1, main h2');
    await page.waitForTimeout(SETTLE_MS);
    await page.screenshot({ path: path.join(FOLDER, `console-${name}.png`), fullPage: isWhole });
    console.log(name);
    await profile.close();
  };
  await shoot('overview', '', {}, { ready: 'main canvas' });
  await shoot('room', `/rooms/${roomId}`, { viewport: { width: 1280, height: 1080 } }, { ready: 'main canvas' });
  await shoot('usage', '/usage', { colorScheme: 'dark' }, { ready: 'main canvas' });
  await shoot('operator', `/operator/organizations/${scene.organizationId}`, {}, { isWhole: true });
}

async function main() {
  let scene: Scene | undefined;
  try {
    const billing = { type: 'PREPAID', credits: 100_000, creditRate: 0.01, currency: 'USD' };
    scene = await Scene.start({ billing }, { sandbox: true });
    const school = new School(scene);
    const today = new Date();
    let midnight = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 1));
    for (let day = 1; day <= SCHOOL_DAYS; midnight = new Date(midnight.getTime() + DAY_MS)) {
      if ([0, 6].includes(midnight.getUTCDay())) continue;
      await school.day(midnight, day);
      console.log(`day ${day} of ${SCHOOL_DAYS}`);
      day += 1;
    }
    const roomId = await school.lesson();
    for (const [title, names] of [
      ['Chemistry lab, group B', NAMES.slice(8, 11)],
      ['History of the Hanseatic League', NAMES.slice(11, 16)],
    ] as const)
      await school.enter(await school.begin(title, names[0]), names);
    await school.advance(9);
    await photograph(await scene.browser(), school, roomId);
  } finally {
    await scene?.stop();
  }
}

void main();
