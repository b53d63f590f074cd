import type { Browser, Page } from 'playwright-core';
import type { Scene } from './scene.ts';

interface Way {
  prepare?: (page: Page) => Promise<unknown>;
  link?: (link: string) => string;
  act?: (page: Page, scene: Scene, roomId: string) => Promise<unknown>;
}

const SIZE = { width: 560, height: 420 };
const SESSION = '**/v1/classroom/session';

/** An expired token, as a page decodes it. */
const OLD = ['{"alg":"HS256"}', '{"exp":1}', 'x'].map((part) => Buffer.from(part).toString('base64url')).join('.');

/** The page gets this answer instead of a session. */
const refusal = (status: number, error: string) => (page: Page) =>
  page.route(SESSION, (route) =>
    route.fulfill({
      status,
      json: { success: false, message: error, error },
      headers: { 'x-request-id': '7c1de0f2-4a53-4a0e-9b1f-0c6d2a5be7a4' },
    }),
  );

const WAYS: Record<string, Way> = {
  left: { act: (page) => page.click('[data-action="leave"]') },
  ended: {
    prepare: async (page) =>
      page.route(SESSION, (route) =>
        route.fulfill({
          status: 410,
          json: { success: false, message: 'Ended', error: 'ROOM_ENDED', details: [{ path: 'reason', message: 'class_ended' }] },
        }),
      ),
  },
  removed: {
    act: async (page, scene, roomId) => {
      const { token } = await scene.join(roomId, { uid: 'moderator', name: 'Moderator', role: 'MODERATOR' });
      const authorization = `Bearer ${await scene.classroomToken(token)}`;
      await scene.call('POST', '/v1/classroom/participants/student-removed/remove', undefined, { authorization });
    },
  },
  replaced: {
    act: async (page, scene, roomId) => {
      const { iframeUrl } = await scene.join(roomId, { uid: 'student-replaced', name: 'Clara Weiss', role: 'STUDENT' });
      const second = await page.context().newPage();
      await second.goto(iframeUrl);
      await page.waitForSelector(':root[data-reason=replaced]', { timeout: 90_000 });
      await second.close();
    },
  },
  refused: {
    act: async (page) => {
      await refusal(401, 'UNAUTHORIZED')(page);
      const session = await page.context().newCDPSession(page);
      await session.send('Network.enable');
      const conditions = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
      await session.send('Network.emulateNetworkConditions', { offline: true, packetLoss: 100, ...conditions });
    },
  },
  'no-consent': { prepare: refusal(403, 'CONSENT_REQUIRED') },
  'not-admitted': { prepare: refusal(403, 'ADMISSION_REFUSED') },
  'no-token': { link: (link) => link.replace(/#.*/, '') },
  invalid: { prepare: refusal(401, 'UNAUTHORIZED'), link: (link) => link.replace(/#.*/, '#token=none') },
  expired: { prepare: refusal(401, 'UNAUTHORIZED'), link: (link) => link.replace(/#.*/, `#token=${OLD}`) },
  'unknown-room': { prepare: refusal(404, 'ROOM_NOT_FOUND') },
  forbidden: { prepare: refusal(403, 'FORBIDDEN') },
  full: { prepare: refusal(409, 'ROOM_FULL') },
  unreachable: { prepare: (page) => page.route(SESSION, (route) => route.abort()) },
  'no-media': { prepare: (page) => page.routeWebSocket(/\/rtc/, (socket) => socket.close()) },
  unsupported: { prepare: (page) => page.addInitScript('delete window.RTCPeerConnection; delete window.webkitRTCPeerConnection') },
  failed: { prepare: refusal(500, 'INTERNAL_ERROR') },
};

/** Takes a picture of each card. */
export async function photographOutcomes(browser: Browser, scene: Scene): Promise<[string, Buffer][]> {
  const { roomId } = await scene.room({ title: 'Geometry', participant: { uid: 'teacher', name: 'Ada Lindqvist', role: 'TEACHER' } });
  return Promise.all(
    Object.entries(WAYS).map(async ([reason, { prepare, link = (it: string) => it, act }]): Promise<[string, Buffer]> => {
      const { iframeUrl } = await scene.join(roomId, { uid: `student-${reason}`, name: 'Clara Weiss', role: 'STUDENT' });
      const page = await (await browser.newContext({ viewport: SIZE })).newPage();
      await prepare?.(page);
      await page.goto(link(iframeUrl));
      if (act) {
        await page.waitForSelector(':root[data-state=connected]', { timeout: 60_000 });
        await act(page, scene, roomId);
      }
      await page.waitForSelector(`:root[data-reason="${reason}"]`, { timeout: 90_000 });
      await page.waitForTimeout(300);
      const picture = await page.screenshot();
      await page.context().close();
      return [reason, picture];
    }),
  );
}

/** Puts all pictures on one sheet, three per row. */
export async function contactSheet(browser: Browser, pictures: [string, Buffer][]): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 100 } });
  const cells = pictures.map(
    ([reason, picture]) =>
      `<figure><img src="data:image/png;base64,${picture.toString('base64')}"><figcaption>${reason}</figcaption></figure>`,
  );
  await page.setContent(`<style>
    body { margin: 16px; display: grid; grid-template-columns: repeat(3, 1fr); gap: 16px; background: #fff; font: 14px monospace; color: #5b6472 }
    figure { margin: 0 } img { width: 100%; border: 1px solid #d8dce3; border-radius: 8px } figcaption { text-align: center }
  </style>${cells.join('')}`);
  const sheet = await page.screenshot({ fullPage: true });
  await page.close();
  return sheet;
}
