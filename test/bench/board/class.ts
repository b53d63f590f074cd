import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { nodeBinary } from '../../../tools/stack/toolchain.ts';
import type { Scene } from '../../load/page/scene.ts';
import { cpuOf, difference } from '../load/processes.ts';
import { IS_EMPTY, latenciesOf, PEN, PIXELS, type Seen, type Shown } from './pixels.ts';

const VIEWPORT = { width: 1280, height: 720 };
/** Participants in one process: in rtc-node every event goes to all rooms of its process. */
const IN_PROCESS = 30;
/** As the class page sends its strokes. */
const CALL_EVERY_MS = 160;
/** Points that a pen reports between two calls. */
const POINTS = 10;
/** Points after which a stroke ends. */
const LONGEST = 120;
const STROKE_MS = 1_000;
const STEPS = 60;

export class Class {
  private readonly children: ChildProcess[] = [];
  private pen!: Page;
  private screen!: Page;
  private readonly drawers: string[] = [];
  private reader = '';
  private flooder = '';
  private readonly scene: Scene;
  readonly sid: string;
  private readonly roomId: string;

  private constructor(scene: Scene, { sid, roomId }: { sid: string; roomId: string }) {
    this.scene = scene;
    this.sid = sid;
    this.roomId = roomId;
  }

  /** The pen and the screen are pages of Chromium; further drawers call the API, and the other viewers are participants without a page. */
  static async open(scene: Scene, drawers: number, viewers: number): Promise<Class> {
    const teacher = { uid: 'teacher', name: 'Ada', role: 'TEACHER' };
    const room = await scene.room({ title: 'Geometry', participant: teacher, settings: { maxParticipants: drawers + viewers + 10 } });
    const lesson = new Class(scene, room);
    const reader = { uid: 'reader', name: 'Reader', role: 'TEACHER' };
    lesson.reader = await scene.classroomToken((await scene.join(room.roomId, reader)).token);
    lesson.pen = await lesson.page(room.iframeUrl);
    await lesson.pen.click('[data-action=board]');
    await lesson.pen.waitForSelector('.board[data-board=draw] .excalidraw__canvas.static', { state: 'attached' });
    lesson.screen = await lesson.page((await scene.join(room.roomId, { uid: 'screen', name: 'Screen', role: 'STUDENT' })).iframeUrl);
    await lesson.screen.waitForSelector('.board[data-board=view] .excalidraw__canvas.static', { state: 'attached' });
    for (let n = 1; n < drawers; n++) {
      const { token } = await scene.join(room.roomId, { uid: `drawer-${n}`, name: `Drawer ${n}`, role: 'TEACHER' });
      lesson.drawers.push(await scene.classroomToken(token));
    }
    const flooder = { uid: 'flooder', name: 'Flooder', role: 'STUDENT', permissions: { draw: true } };
    lesson.flooder = await scene.classroomToken((await scene.join(room.roomId, flooder)).token);
    await lesson.admit(viewers - 1);
    return lesson;
  }

  /** @returns milliseconds from the pen to the pixel, of each point that was seen */
  async draw(strokes: number, isFlooded: boolean) {
    const others = new AbortController();
    const drawing = this.drawers.map((token, n) => this.drawWithout(token, n, others.signal));
    const flood = { taken: 0, refused: 0 };
    if (isFlooded) drawing.push(this.flood(flood, others.signal));
    const latencies: number[] = [];
    const [before, version, began] = [cpuOf(this.pids()), await this.version(), performance.now()];
    for (let n = 0; n < strokes; n++) latencies.push(...(await this.stroke(n)));
    others.abort();
    await Promise.all(drawing);
    const seconds = (performance.now() - began) / 1_000;
    return { latencies, calls: (await this.version()) - version, cpu: difference(before, cpuOf(this.pids())), seconds, flood };
  }

  async close(): Promise<void> {
    await Promise.all([this.pen, this.screen].map((page) => page.context().close()));
    for (const child of this.children) child.disconnect();
    await Promise.all(this.children.filter(({ exitCode }) => exitCode === null).map((child) => once(child, 'exit')));
  }

  private async page(url: string): Promise<Page> {
    const browser = await this.scene.browser();
    const context = await browser.newContext({ viewport: VIEWPORT });
    await context.addInitScript('navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("none", "NotFoundError"))');
    const page = await context.newPage();
    await page.goto(url);
    await page.waitForSelector(':root[data-state=connected]');
    return page;
  }

  private async admit(count: number): Promise<void> {
    const tokens: string[] = [];
    for (let n = 0; n < count; n++)
      tokens.push((await this.scene.join(this.roomId, { uid: `viewer-${n}`, name: `Viewer ${n}`, role: 'STUDENT' })).token);
    for (let at = 0; at < count; at += IN_PROCESS) {
      const child = fork(path.join(import.meta.dirname, '..', '..', 'load', 'page', 'people.ts'), {
        execPath: nodeBinary(),
        env: { PATH: process.env.PATH, NODE_ENV: 'production' },
      });
      this.children.push(child);
      child.send({ url: this.scene.livekitUrl, tokens: tokens.slice(at, at + IN_PROCESS), publishes: false });
      await once(child, 'message');
    }
  }

  /** A stroke from left to right, which is taken back. */
  private async stroke(n: number): Promise<number[]> {
    const box = await this.pen.locator('.board-canvas').boundingBox();
    if (!box) throw new Error('no board is shown');
    await this.pen.click('.board label:has([data-testid=toolbar-freedraw])');
    const y = box.y + box.height * (0.25 + 0.5 * ((n % 20) / 20));
    const [from, to] = [box.x + box.width * 0.3, box.x + box.width * 0.7];
    await this.screen.evaluate(PIXELS);
    await this.pen.evaluate(PEN);
    await this.pen.mouse.move(from, y);
    await this.pen.mouse.down();
    for (let step = 1; step <= STEPS; step++) {
      await this.pen.mouse.move(from + ((to - from) * step) / STEPS, y);
      await sleep(STROKE_MS / STEPS);
    }
    await this.pen.mouse.up();
    await sleep(STROKE_MS);
    const [pen, shown] = [await this.pen.evaluate<Seen[]>('window.stopSeeing()'), await this.screen.evaluate<Shown>('window.stopSeeing()')];
    await this.pen.keyboard.press('Control+z');
    // The page's policy forbids what waitForFunction does.
    while (!(await this.screen.evaluate<boolean>(IS_EMPTY))) await sleep(100);
    return latenciesOf(pen, shown);
  }

  /** As a page does, the whole stroke with each call. */
  private async drawWithout(token: string, drawer: number, signal: AbortSignal): Promise<void> {
    const { data } = await this.board();
    const pageId = data.board?.currentPageId ?? '';
    for (let stroke = 0; !signal.aborted; stroke++) {
      const points: number[][] = [];
      for (let version = 1; points.length < LONGEST && !signal.aborted; version++) {
        const at = performance.now();
        for (let n = 0; n < POINTS; n++) points.push([points.length * 1.5, Math.round(1_000 * Math.sin(points.length / 9)) / 25]);
        const look = {
          strokeColor: '#1971c2',
          backgroundColor: 'transparent',
          fillStyle: 'solid',
          strokeWidth: 2,
          roughness: 1,
          opacity: 100,
        };
        // Left of where the pen draws.
        const place = { x: 0, y: 64 * drawer + 4 * (stroke % 16), width: points.length * 1.5, height: 80, angle: 0, seed: 1, groupIds: [] };
        const element = { id: `s-${drawer}-${stroke}`, type: 'freedraw', version, versionNonce: version, ...look, ...place, points };
        await this.scene.call('POST', '/v1/classroom/board', { pageId, elements: [element] }, { authorization: `Bearer ${token}` });
        await sleep(Math.max(0, at + CALL_EVERY_MS - performance.now()));
      }
    }
  }

  /** One participant who draws as much as a call takes, one call after the other. */
  private async flood(counts: { taken: number; refused: number }, signal: AbortSignal): Promise<void> {
    const { data } = await this.board();
    const pageId = data.board?.currentPageId ?? '';
    const text = 'x'.repeat(30_000);
    const place = { x: 0, y: 0, width: 1, height: 1, angle: 0, seed: 1, groupIds: [], opacity: 0 };
    for (let version = 1; !signal.aborted; version++) {
      const elements = [0, 1, 2, 3].map((n) => ({
        id: `flood-${n}`,
        type: 'rectangle',
        version,
        versionNonce: version,
        ...place,
        customData: { text },
      }));
      await this.scene.call('POST', '/v1/classroom/board', { pageId, elements }, { authorization: `Bearer ${this.flooder}` }).then(
        () => (counts.taken += 1),
        () => (counts.refused += 1),
      );
    }
  }

  private async board(): Promise<{ data: Board }> {
    const whole: Board = { version: 0, elements: [], hasMore: true };
    while (whole.hasMore) {
      const part = (await this.scene.call('GET', `/v1/classroom/board?after=${whole.version}`, undefined, {
        authorization: `Bearer ${this.reader}`,
      })) as unknown as Board;
      Object.assign(whole, { ...part, board: part.board ?? whole.board, elements: [...whole.elements, ...part.elements] });
    }
    return { data: whole };
  }

  private async version(): Promise<number> {
    return (await this.board()).data.version;
  }

  private pids(): Record<string, number> {
    const { apps, parts } = this.scene.stack;
    const pid = (process: { pid?: number | undefined } | undefined) => process?.pid ?? 0;
    const of = (from: Record<string, { pid?: number | undefined }>, names: string[]) =>
      Object.fromEntries(names.map((name) => [name, pid(from[name])]));
    return { ...of(apps, ['gateway', 'room']), ...of(parts, ['nats', 'postgres', 'redis', 'livekit']) };
  }
}

interface Board {
  version: number;
  hasMore: boolean;
  board?: { currentPageId: string | null };
  elements: { element: { isDeleted: boolean } }[];
}
