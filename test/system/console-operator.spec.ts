import { CONSUMERS, roomCreated } from '@classroom/contracts';
import { readFile } from 'node:fs/promises';
import {
  inLongForm,
  adminApi,
  ApiClient,
  eventually,
  newOrganization,
  newRoom,
  present,
  type RunningStack,
  setFactAside,
} from '@classroom/testing';
import { violationsOf } from './accessibility.js';
import { ConsoleScene, shows, violationsInThemes } from './console-scene.js';

/** The operators' pages of the console in a real browser. */
describe('the console', () => {
  let stack: RunningStack;
  let scene: ConsoleScene;
  let address: ConsoleScene['address'];
  let open: ConsoleScene['open'];
  let organizationId: string;

  beforeAll(async () => {
    scene = await ConsoleScene.start();
    ({ stack, address, open } = scene);
    const school = await newOrganization(stack, { name: 'Lakeside' });
    ({ organizationId } = school);
    // The event that becomes a dead letter.
    await newRoom(school.api);
  });

  afterEach(() => scene.closePages());
  afterAll(() => scene?.stop());

  it('lets an operator find an organization, add credits once, make and revoke an API key, and open its console', async () => {
    const { page } = await open(address('operator'));
    const enter = async (key: string) => {
      await page.fill('[type=password]', key);
      await page.click('[data-action=enter]');
    };
    await enter('a secret of no operator');
    await shows(page, 'not valid');
    await enter(stack.secrets['dispatchSecret'] ?? '');
    await shows(page, 'Organizations');
    await page.click('[data-action=new-organization]');
    await page.fill('[name=name]', 'Hillside');
    await page.fill('[name=domains]', 'hillside.example\n*.hillside.example');
    await page.fill('[name=credits]', '50');
    await page.click('[data-action=create-organization]');
    const hillside = new ApiClient(stack.urls.gateway, { 'VF-ORG-ID': await page.innerText('.secret code') });
    await eventually(async () => expect((await hillside.get('/v1/billing/balance')).body.data).toMatchObject({ remainingCredits: 50 }));
    await page.click('main a[href*="/organizations/"]');
    await eventually(async () => expect(await page.inputValue('[name=domains]')).toBe('hillside.example\n*.hillside.example'));
    await page.fill('[name=domains]', 'school.example');
    await page.fill('[name=name]', 'Hillside School');
    await page.click('[data-action=save-organization]');
    await shows(page, 'Saved.');
    await eventually(async () => expect(await page.innerText('h1')).toBe('Hillside School'));
    expect((await hillside.get('/v1/billing/balance')).body.data).toMatchObject({ remainingCredits: 50 });
    await page.click('[data-page=organizations]');
    await page.fill('[type=search]', organizationId);
    await page.click(`[data-row="${organizationId}"] a`);
    await shows(page, /Credits left/);
    const before = Number((await page.innerText('.figure-value')).replace(',', ''));
    for (const answer of ['500 credits posted.', 'nothing has changed']) {
      await page.fill('[name=amount]', '500');
      await page.fill('[name=reference]', 'invoice-1');
      await page.click('[data-action=top-up]');
      await shows(page, answer);
    }
    await eventually(async () => expect(Number((await page.innerText('.figure-value')).replace(',', ''))).toBe(before + 500));
    await page.fill('form[aria-label="New API key"] [name=name]', 'Timetable');
    expect(await page.isDisabled('[data-action=new-key]')).toBe(true);
    for (const scope of ['rooms:read', 'events:read']) await page.check(`[name="${scope}"]`);
    await page.click('[data-action=new-key]');
    const secret = await page.innerText('.secret code');
    const read = () => new ApiClient(stack.urls.gateway).bearer(secret).get('/v1/rooms');
    expect((await read()).status).toBe(200);
    await shows(page, 'rooms:read, events:read');
    expect(await violationsOf(page, 'organization')).toEqual([]);
    await page.click('[data-action=revoke-key]');
    await page.click('[data-action=confirm-revoke-key]');
    await shows(page, 'There are no API keys');
    await eventually(async () => expect((await read()).status).toBe(401));
    await page.click('[data-action=dashboard-link]');
    const [console] = await Promise.all([page.context().waitForEvent('page'), page.click('[data-action=open-dashboard]')]);
    await eventually(async () => expect(await console.innerText('header.top')).toContain('Lakeside'));
    // Another tab has neither the key nor, for this one, the token.
    expect(await console.evaluate('sessionStorage.getItem("console-operator-key")')).toBeNull();
    expect(await page.evaluate('sessionStorage.getItem("console-token")')).toBeNull();
  });

  inLongForm(it)('lets an operator download a statement of a postpaid organization', async () => {
    const rate = { creditRate: 0.01, currency: 'USD' };
    const postpaid = { type: 'POSTPAID', billingFrequency: 'MONTHLY', ...rate };
    const { organizationId: school } = await newOrganization(stack, { name: 'Hillside', billing: postpaid });
    const path = `/v1/admin/organizations/${school}` as const;
    // The end of a postpaid plan closes its cycle with a statement.
    for (const billing of [{ type: 'PREPAID', credits: 1_000, ...rate }, postpaid]) await adminApi(stack).patch(path, { billing });
    const { page, watch } = await open(address(`operator/organizations/${school}`), {
      reducedMotion: 'reduce',
      locale: 'de-DE',
      viewport: { width: 390, height: 844 },
    });
    await page.fill('[type=password]', stack.secrets['dispatchSecret'] ?? '');
    await page.click('[data-action=enter]');
    await shows(page, /Abrechnungen[\s\S]*PDF/);
    expect(await violationsInThemes(page, 'statements')).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth')).toBe(true);
    await page.focus('[data-action=statement-pdf]');
    const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    expect(file.suggestedFilename()).toMatch(/^statement-\d{4}-\d\d-\d\d\.pdf$/);
    const pdf = await readFile(await file.path(), 'latin1');
    expect([pdf.slice(0, 5), pdf.includes('/Lang (de)')]).toEqual(['%PDF-', true]);
    expect(watch.problems).toEqual([]);
    const { body } = await adminApi(stack).get(`${path}/statements`);
    const other = `/v1/admin/organizations/${organizationId}/statements/${present(body.data[0]).statementId}/pdf` as const;
    expect((await adminApi(stack).get(other)).body.error).toBe('NOT_FOUND');
    expect((await adminApi(stack).get(other.replace(organizationId, 'org_unknown'))).body.error).toBe('ORGANIZATION_NOT_FOUND');
  });

  inLongForm(it)('lets an operator replay one dead letter and discard another, and shows what runs', async () => {
    for (const _ of ['replayed', 'discarded']) await setFactAside(stack, CONSUMERS.recordingRooms, roomCreated);
    const { page, watch } = await open(address('operator/dead-letters'), { reducedMotion: 'reduce' });
    await page.fill('[type=password]', stack.secrets['dispatchSecret'] ?? '');
    await page.click('[data-action=enter]');
    await shows(page, /recording-rooms[\s\S]*unique constraint/);
    const found: string[] = [];
    const look = async (name: string) => found.push(...(await violationsInThemes(page, name)));
    await look('dead letters');
    for (const [action, operation, done] of [
      ['replay', 'replayDeadLetter', 'published again'],
      ['discard', 'discardDeadLetter', 'was deleted'],
    ] as const) {
      const row = page.locator('[data-row]').first();
      const id = (await row.getAttribute('data-row')) ?? '';
      await row.locator('.row-link').click();
      await shows(page, /Attempts\s+8[\s\S]*evt\.room\.room\.created[\s\S]*4bf92f3577b34da6a3ce929d0e0e4736/);
      await look('dead letter');
      await page.click(`[data-action=${action}]`);
      await page.click(`[data-action=confirm-${action}]`);
      await shows(page, done);
      await eventually(async () => {
        const { entries } = (await adminApi(stack).get(`/v1/admin/audit?operation=${operation}&ofOperators=true`)).body.data;
        expect(entries[0]).toMatchObject({ target: { deadLetterId: id }, changes: [{ kind: 'dead-letter', id, after: null }] });
      });
      await page.click('[data-page=dead-letters]');
      await eventually(async () => expect(await page.locator(`[data-row="${id}"]`).count()).toBe(0));
    }
    await page.click('[data-page=system]');
    await shows(page, /One version[\s\S]*gateway[\s\S]*0\.2\.0[\s\S]*of \d+ slots busy[\s\S]*credit-rollup[\s\S]*billing-fold/);
    await look('system');
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth')).toBe(true);
    expect([found, watch.problems]).toEqual([[], []]);
  });
});
