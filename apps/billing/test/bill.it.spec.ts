import { cycleAt } from '../src/plans/cycle.js';
import { StatementPartsRepository, StatementsRepository } from '../src/plans/statements.repository.js';
import { ListLedger } from '../src/credits/read-ledger.js';
import { EnsureAccount } from '../src/plans/apply-plan.js';
import { GetStatement, ListStatements } from '../src/statements/read-statements.js';
import { INSTALLED_FONTS, StatementFonts } from '../src/statements/statement-fonts.js';
import { statementPdf } from '../src/statements/statement-pdf.js';
import { BillingFixture } from './support/billing-fixture.js';

const HOUR_MS = 3_600_000;
const TITLES = ['Größe', 'درس', 'שיעור', 'गणित', 'คณิต', '数学', 'の授業', '수학', 'தமிழ்', 'བོད་སྐད', '🧪', '∑ ✓', 'ⲁⲃ'];
/** The fonts of these titles, and of the statement itself. */
const FONTS = ['Arabic', 'Hebrew', 'Devanagari', 'Thai', 'CJKsc', 'CJKjp', 'CJKkr', 'Tamil']
  .map((script) => `NotoSans${script}-Regular`)
  .concat('DejaVuSans', 'DejaVuSans-Bold', 'NotoEmoji-Regular', 'NotoSerifTibetan-Regular');
/** LiveKit takes whole seconds. */
const WHOLE_SECOND = Math.floor(Date.now() / 1_000) * 1_000;

describe('the bill of an organization', () => {
  let fixture: BillingFixture;
  beforeAll(async () => {
    fixture = await BillingFixture.start();
    fixture.clock.at = WHOLE_SECOND;
  });
  afterAll(() => fixture?.stop());

  it('lists the ledger by kind and by room, in pages', async () => {
    const { organizationId, accountId } = await fixture.organization();
    const sids = [];
    for (const seconds of [600, 1_200]) sids.push(await fixture.lesson(organizationId, fixture.clock.at, seconds));
    await fixture.rollUp.execute([accountId]);
    const { database, accounts, applyPlan, rpc, ledger } = fixture;
    const listLedger = new ListLedger(ledger, new EnsureAccount(database, accounts, applyPlan, rpc));
    const list = async (filter: object) =>
      (await listLedger.execute({ organizationId, limit: 100, ...filter })).entries.map(({ kind, sid, credits }) => [kind, sid, credits]);
    const [short, long] = sids as [string, string];
    expect((await list({})).sort()).toEqual(
      [
        ['CHARGE', short, -10],
        ['CHARGE', long, -20],
        ['OPENING', null, 1000],
      ].sort(),
    );
    expect(await list({ kind: 'OPENING' })).toEqual([['OPENING', null, 1000]]);
    expect(await list({ roomId: `room-of-${long}` })).toEqual([['CHARGE', long, -20]]);
    expect(await list({ roomId: `room-of-${long}`, kind: 'OPENING' })).toEqual([]);
    const other = await fixture.organization();
    expect(await list({ organizationId: other.organizationId, roomId: `room-of-${long}` })).toEqual([]);
    const first = await listLedger.execute({ organizationId, limit: 1, kind: 'CHARGE' });
    const cursor = first.pagination.nextCursor ?? '';
    const second = await listLedger.execute({ organizationId, limit: 1, kind: 'CHARGE', cursor });
    expect([first.entries.length, second.entries.length, second.pagination.hasMore]).toEqual([1, 1, false]);
  });

  it('has statements whose parts add up to them, for its own organization alone', async () => {
    const start = new Date(fixture.clock.at - HOUR_MS);
    const { organizationId, accountId } = await fixture.organization(start);
    const began = fixture.clock.at - HOUR_MS / 2;
    const sids = [];
    for (const [n, seconds] of [600, 1_200, 90].entries()) sids.push(await fixture.lesson(organizationId, began + n * 1_000, seconds));
    await fixture.rollUp.execute([accountId]);
    fixture.clock.at = cycleAt(start, 'WEEKLY', start).end.getTime() + HOUR_MS;
    await fixture.rollUp.execute([accountId]);
    const statements = new StatementsRepository(fixture.database);
    const [listed] = await new ListStatements(statements, fixture.rpc).execute({ organizationId });
    const getStatement = new GetStatement(statements, new StatementPartsRepository(fixture.database));
    const statementId = listed?.statementId ?? '';
    const [first, second, third] = sids.map((sid) => `room-of-${sid}`);
    expect(await getStatement.execute(organizationId, statementId)).toEqual({
      ...listed,
      creditsConsumed: 32,
      amount: 16,
      kinds: [{ kind: 'CHARGE', credits: 32, amount: 16 }],
      classes: [
        { roomId: first, title: 'A class', startedAt: new Date(began).toISOString(), credits: 10, amount: 5 },
        { roomId: second, title: 'A class', startedAt: new Date(began + 1_000).toISOString(), credits: 20, amount: 10 },
        { roomId: third, title: 'A class', startedAt: new Date(began + 2_000).toISOString(), credits: 2, amount: 1 },
      ],
      furtherClasses: { count: 0, credits: 0, amount: 0 },
    });
    const parts = await new StatementPartsRepository(fixture.database).sumClasses(organizationId, start, 2);
    expect(parts.map(({ credits, allClasses, allCredits, allAmount }) => [credits, allClasses, allCredits, Number(allAmount)])).toEqual([
      [10, 3, 32, 16],
      [20, 3, 32, 16],
    ]);
    const { organizationId: other } = await fixture.organization();
    await expect(getStatement.execute(other, statementId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('has a statement in the fonts of the scripts in which its classes are named', async () => {
    const at = '2026-11-01T00:00:00.000Z';
    const sum = { credits: 1, amount: 1 };
    const classes = TITLES.map((title) => ({ roomId: 'geometry-7b', title, startedAt: at, ...sum }));
    const ofCycle = { statementId: 'a', cycleStart: at, cycleEnd: at, closedAt: at, creditsConsumed: 1, currency: 'EUR', classrooms: 1 };
    const statement = { ...ofCycle, amount: 1, kinds: [], classes, furtherClasses: { count: 0, credits: 0, amount: 0 } };
    const file = await statementPdf(statement, 'A school', 'de', new StatementFonts(INSTALLED_FONTS));
    expect(new Set(file.toString('latin1').match(/(?<=\/BaseFont \/[A-Z]+\+)[\w-]+/g))).toEqual(new Set(FONTS));
  });
});
