import { eventually } from '@classroom/testing';
import type { ClassroomPage } from './browser.js';

export const LONG_SIDE = 'What is the long side of a right triangle called?';

export const ask = async ({ page }: ClassroomPage, question: string) => {
  await page.fill('[data-action=tutor-text]', question);
  await page.keyboard.press('Enter');
};

export const exchanges = ({ page }: ClassroomPage) =>
  page.locator('.tutor-exchange').evaluateAll((items) => items.map((item) => item.getAttribute('data-exchange')));

/** Waits until the page's exchanges with the tutor are in these states. */
export const ends = (page: ClassroomPage, ...states: string[]) => eventually(async () => expect(await exchanges(page)).toEqual(states));
