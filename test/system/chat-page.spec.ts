/** @lane real-time */
import { randomUUID } from 'node:crypto';
import { eventually, inLongForm } from '@classroom/testing';
import { violationsOf } from './accessibility.js';
import type { ClassroomPage } from './browser.js';
import { ClassScene } from './class-scene.js';

/** Moderation of the chat on the pages of a teacher and two students. */
describe('the chat on the class page', () => {
  let scene: ClassScene;
  let teacher: ClassroomPage;
  let student: ClassroomPage;
  let other: ClassroomPage;

  beforeAll(async () => {
    scene = await ClassScene.start();
    const options = { isUnplugged: true };
    const room = await scene.room();
    teacher = await scene.open(room.iframeUrl, options);
    student = await scene.enter(room.roomId, 'ann', 'STUDENT', options);
    other = await scene.enter(room.roomId, 'bob', 'STUDENT', options);
    await teacher.reaches('connected');
    for (const page of [teacher, student, other]) {
      await page.panel('chat');
      await page.page.waitForSelector('.chat-settings', { state: 'attached' });
    }
  });

  afterEach(() => expect([teacher, student, other].flatMap(({ watch }) => watch.problems.splice(0))).toEqual([]));

  afterAll(() => scene?.stop());

  const write = async ({ page }: ClassroomPage, text: string) => {
    await page.fill('[data-action=chat-text]', text);
    await page.keyboard.press('Enter');
  };
  const log = (page: ClassroomPage) => page.page.innerText('.chat-scroll');
  const shows = (page: ClassroomPage, text: string) => eventually(async () => expect(await log(page)).toContain(text));
  const line = (text: string) => `.chat-line:has-text("${text}")`;
  const choose = async (page: ClassroomPage, action: string) => {
    await page.press('chat-settings');
    await page.press(action);
  };

  it('lets a teacher delete a message by keyboard, which leaves a tombstone for everyone', async () => {
    const text = `rude ${randomUUID()}`;
    await write(student, text);
    for (const page of [teacher, other]) await shows(page, text);
    for (const page of [student, other]) expect(await page.count('[data-action=delete-message]')).toBe(0);
    const button = `${line(text)} [data-action=delete-message]`;
    expect(await teacher.page.getAttribute(button, 'aria-label')).toBe('Delete the message of Name of ann');
    await teacher.page.focus(button);
    await teacher.page.keyboard.press('Enter');
    await teacher.page.waitForSelector('dialog');
    expect(await violationsOf(teacher.page, 'question before a deletion')).toEqual([]);
    await teacher.page.keyboard.press('Tab');
    await teacher.page.keyboard.press('Enter');
    for (const page of [teacher, student, other]) {
      await shows(page, 'This message was deleted.');
      expect(await log(page)).not.toContain(text);
    }
    expect(await teacher.page.evaluate('document.activeElement.className')).toBe('chat-scroll');
    // A page that is loaded later gets the tombstone alone.
    await other.page.reload();
    await other.reaches('connected');
    await other.panel('chat');
    await shows(other, 'This message was deleted.');
    expect(await other.page.content()).not.toContain(text);
    await other.page.waitForSelector('.chat-settings', { state: 'attached' });
  });

  it('shows a teacher what students report, without their names', async () => {
    const text = `mean ${randomUUID()}`;
    await write(student, text);
    await shows(other, text);
    expect(await student.count(`${line(text)} [data-action=report-message]`)).toBe(0);
    await other.page.hover(line(text));
    await other.page.click(`${line(text)} [data-action=report-message]`);
    expect(await violationsOf(other.page, 'question before a report')).toEqual([]);
    await other.press('confirm-report-message');
    await eventually(async () => expect(await other.page.innerText(line(text))).toContain('Reported'));
    await teacher.shows('A chat message was reported.');
    await eventually(async () => expect(await teacher.page.innerText(line(text))).toContain('Reported once'));
    expect(await student.page.innerText(line(text))).not.toContain('Reported');
    for (const page of [teacher, student, other]) expect(await violationsOf(page.page, 'chat with a report')).toEqual([]);
  });

  it('says who reads a message to the teachers, and shows it to no other student', async () => {
    await choose(teacher, 'chat-option-TEACHERS');
    await teacher.shows('Students write to the teachers only');
    for (const page of [student, other]) await page.shows('Only the teachers read what you write here.');
    expect(await student.page.getAttribute('[data-action=chat-text]', 'aria-label')).toBe('Write to the teachers');
    const secret = `secret ${randomUUID()}`;
    await write(student, secret);
    for (const page of [teacher, student])
      await eventually(async () => expect(await page.page.innerText(line(secret))).toContain('To the teachers'));
    const open = `open ${randomUUID()}`;
    await write(teacher, open);
    await shows(other, open);
    expect(await log(other)).not.toContain(secret);
    expect(await violationsOf(student.page, 'chat to the teachers')).toEqual([]);
  });

  it('is closed for students at once, but not for the teacher, and opened again', async () => {
    await student.page.fill('[data-action=chat-text]', 'half a message');
    await choose(teacher, 'chat-option-OFF');
    for (const page of [student, other]) {
      await page.shows('The teacher has closed the chat. You can read it.');
      await eventually(async () => expect(await page.count('[data-action=chat-text]')).toBe(0));
    }
    expect(await violationsOf(student.page, 'closed chat')).toEqual([]);
    await write(teacher, 'Listen, please');
    await shows(student, 'Listen, please');
    await choose(teacher, 'chat-option-ALL');
    await eventually(async () => expect(await student.page.inputValue('[data-action=chat-text]')).toBe('half a message'));
  });

  it('leaves keys to an input method, also in the order of WebKit, and finds shortcuts on a Cyrillic keyboard', async () => {
    const { page } = student;
    const press = (target: string, key: object) =>
      page.evaluate(
        `document.querySelector(${JSON.stringify(target)})
          .dispatchEvent(new KeyboardEvent('keydown', ${JSON.stringify({ bubbles: true, cancelable: true, ...key })}))`,
      );
    const text = `日本${randomUUID()}`;
    await page.fill('[data-action=chat-text]', text);
    for (const key of ['Enter', 'Escape'])
      for (const state of [{ isComposing: true }, { keyCode: 229 }]) await press('[data-action=chat-text]', { key, ...state });
    expect(await page.inputValue('[data-action=chat-text]')).toBe(text);
    await press('[data-action=chat-text]', { key: 'Enter', keyCode: 13 });
    await shows(other, text);
    await press('body', { key: 'з', code: 'KeyP', ctrlKey: true });
    await press('body', { key: 'з', code: 'KeyP', keyCode: 229 });
    expect(await student.count('[data-tab=chat][aria-selected=true]')).toBe(1);
    await press('body', { key: 'з', code: 'KeyP' });
    await page.waitForSelector('[data-tab=people][aria-selected=true]');
    await student.panel('chat');
  });

  inLongForm(it)('tells students how long they wait between messages, and keeps what was too early', async () => {
    await choose(teacher, 'chat-option-300');
    await teacher.shows('Wait: 5 min');
    await other.shows('Wait between two messages: 5 min');
    await write(other, 'first');
    await shows(teacher, 'first');
    await write(other, 'second');
    await eventually(async () => expect(await other.count('[data-outgoing=RATE_LIMITED]')).toBe(1));
    await choose(teacher, 'chat-option-0');
    await eventually(async () => expect(await other.page.innerText('.chat-settings')).toBe(''));
    await other.press('retry-message');
    await shows(teacher, 'second');
    other.watch.expect(/429/);
  });

  it('tells a screen reader who writes while the chat is closed', async () => {
    const said = () => student.page.innerText('[data-live]');
    await student.panel();
    await write(other, 'Are you there?');
    await eventually(async () => expect(await said()).toBe('New message from Name of bob'));
    for (const text of ['Hello?', 'Ah, good.']) await write(other, text);
    await write(teacher, 'Quiet, please');
    await eventually(async () => expect(await said()).toMatch(/^3 new messages from Name of \w+, Name of \w+$|^\d new message/));
    await student.panel('chat');
  });
});
