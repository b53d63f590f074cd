import { compareVersions } from '../stack/context.ts';

interface Of {
  file: string;
  /** The SQL of older files in the same folder. */
  earlier: string[];
  version: string;
}

/** The SQL of the older files and of the statement's own file. */
interface Context {
  earlier: string[];
  here: string;
}

/**
 * A kind of statement or action, and the verdict on it. Migrations must not break the previous release, which continues to run next to the
 * new one, and must not block other users of the table. The text says what to do instead; `ok` means no objection. A statement that no rule
 * matches is rejected.
 */
type Rule = [RegExp, string | ((match: RegExpExecArray, of: Context) => string)];

const ok = '';
/** Allowed only after a release in which nothing uses the object. */
const CONTRACT = 'contract: ';

const SEPARATE_FILE = 'CREATE INDEX CONCURRENTLY in a file of its own';
const REWRITES = 'rewrites the table under a lock: add a column, fill it in batches, drop the old one a release later';

const ACTIONS: Rule[] = [
  [/^RENAME\b/, 'the old release knows the old name only: add the new one, write both, drop the old one a release later'],
  [/^DROP (?:COLUMN )?(?!CONSTRAINT\b|DEFAULT\b)/, `${CONTRACT}the old release still reads and writes it`],
  [
    /^DROP CONSTRAINT (?:IF EXISTS )?(\S+)/,
    ([, name], { here }) =>
      new RegExp(`ADD CONSTRAINT ${name} CHECK .* NOT VALID`, 'i').test(here)
        ? ok
        : `${CONTRACT}the old release may lean on it (ON CONFLICT)`,
  ],
  [/^ALTER (?:COLUMN )?\S+ (?:SET DATA )?TYPE\b/, REWRITES],
  [
    /^ALTER (?:COLUMN )?(\S+) SET NOT NULL$/,
    ([, column], { earlier }) =>
      isChecked(column, earlier)
        ? ok
        : 'scans the table under a lock: ADD CONSTRAINT … CHECK (… IS NOT NULL) NOT VALID, VALIDATE it in the next file, SET NOT NULL in the one after',
  ],
  [/^ALTER (?:COLUMN )?\S+ DROP DEFAULT$/, `${CONTRACT}the old release may leave it out`],
  [/^ALTER (?:COLUMN )?\S+ (?:SET DEFAULT|DROP NOT NULL|SET STATISTICS|SET STORAGE)\b/, ok],
  // For new pages only, under a lock that lets others read and write.
  [/^SET \(FILLFACTOR = \d+\)$/, ok],
  [
    /^ADD (?:CONSTRAINT \S+ )?(?:UNIQUE|PRIMARY KEY)\b(?! USING INDEX)/,
    `builds an index under a lock: ${SEPARATE_FILE}, then ADD CONSTRAINT … USING INDEX`,
  ],
  [
    /^ADD (?:CONSTRAINT \S+ )?(?:CHECK|FOREIGN KEY)\b(?!.* NOT VALID$)/,
    'scans the table under a lock: NOT VALID here, VALIDATE CONSTRAINT in the next file',
  ],
  [/^ADD CONSTRAINT \S+ (?:UNIQUE|PRIMARY KEY|CHECK|FOREIGN KEY)\b/, ok],
  [
    /^VALIDATE CONSTRAINT (\S+)/,
    ([, name], { here }) =>
      new RegExp(`ADD CONSTRAINT ${name}\\b`, 'i').test(here)
        ? 'the lock of ADD CONSTRAINT is held as long as this scans: put it into the next file'
        : ok,
  ],
  [
    /^ADD (?!CONSTRAINT\b|EXCLUDE\b)(?:COLUMN )?(?:IF NOT EXISTS )?.*\b(?:SERIAL|BIGSERIAL|GENERATED|GEN_RANDOM_UUID|UUIDV7|RANDOM|NEXTVAL|CLOCK_TIMESTAMP)\b/,
    REWRITES,
  ],
  [
    /^ADD (?!CONSTRAINT\b|EXCLUDE\b)(?:COLUMN )?(?:IF NOT EXISTS )?.*\b(?:UNIQUE|PRIMARY KEY|REFERENCES|CHECK)\b/,
    'the constraint scans or locks: add the column alone and the constraint NOT VALID, or by an index of its own',
  ],
  [
    /^ADD (?!CONSTRAINT\b|EXCLUDE\b)(?:COLUMN )?(?:IF NOT EXISTS )?(?=.* NOT NULL\b)(?!.*\bDEFAULT\b)/,
    'the old release does not write it: give it a DEFAULT',
  ],
  [/^ADD (?!CONSTRAINT\b|EXCLUDE\b)(?:COLUMN )?(?:IF NOT EXISTS )?\S+ \S+/, ok],
];

const STATEMENTS: Rule[] = [
  [/^DROP INDEX (?!CONCURRENTLY\b)/, 'waits for the table’s lock: DROP INDEX CONCURRENTLY, in a file of its own'],
  [
    /^DROP FUNCTION (\S+)$/,
    ([, name], { here }) => (new RegExp(`CREATE FUNCTION ${name}\\(`, 'i').test(here) ? ok : `${CONTRACT}the old release still uses it`),
  ],
  [/^(?:DROP|TRUNCATE)\b/, `${CONTRACT}the old release still uses it`],
  [/^ALTER TYPE \S+ ADD VALUE\b/, ok],
  [/^(?:UPDATE|DELETE FROM)\b(?!.*\bLIMIT\b)/, 'locks every row it touches until its end: copy in batches, from a job of the service'],
  [/^REINDEX (?!.*\bCONCURRENTLY\b)|^(?:LOCK|CLUSTER|VACUUM FULL)\b/, 'locks the table'],
  [/^CREATE (?:TABLE|(?:OR REPLACE )?(?:FUNCTION|VIEW|TRIGGER)|TYPE|SEQUENCE|EXTENSION|SCHEMA)\b/, ok],
  [/^(?:COMMENT|GRANT|INSERT INTO|UPDATE|DELETE FROM|SELECT|SET|REINDEX)\b/, ok],
];

/** @param sql text of one file @returns the problems, one line each */
export function migrationProblems(sql: string, { file, earlier, version }: Of): string[] {
  const statements = statementsOf(sql);
  const here = statements.map(({ text }) => text).join('; ');
  const isNew = tablesMadeBy(statements.map(({ text }) => text));
  const found: string[] = [];
  for (const { text, contract } of statements) {
    const context = { earlier, here };
    for (const [part, problem] of judged(text, isNew, statements.length, context)) {
      if (problem === ok) continue;
      const isContract = problem.startsWith(CONTRACT);
      if (isContract && contract !== undefined && compareVersions(contract, version) <= 0) continue;
      const why = isContract
        ? `${problem.slice(CONTRACT.length)}; once a release is out in which nothing does, write "-- contract: <that release>" above the statement`
        : problem;
      const early = isContract && contract !== undefined ? ` (${contract} is not out: the last release is ${version})` : '';
      found.push(`${file}: ${part}: ${why}${early}`);
    }
  }
  return found;
}

/**
 * @param text one statement
 * @param count number of statements in the file
 */
function judged(text: string, isNew: (table: string) => boolean, count: number, context: Context): [part: string, problem: string][] {
  const index = /^CREATE (?:UNIQUE )?INDEX (CONCURRENTLY )?.*? ON (?:ONLY )?([^\s(]+)/i.exec(text);
  if (index && (isNew(index[2] ?? '') || (index[1] && count === 1))) return [];
  if (index) return [[text, `no process can write while the index is built: ${SEPARATE_FILE}`]];
  if (/^DROP INDEX CONCURRENTLY\b/i.test(text) && count > 1) return [[text, 'runs in no transaction: a file of its own']];
  const table = /^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?(\S+) (.*)$/i.exec(text);
  if (!table) return [[text, judge(text, STATEMENTS, context)]];
  const [, name = '', actions = ''] = table;
  return isNew(name) ? [] : partsOf(actions).map((action) => [`ALTER TABLE ${name} ${action}`, judge(action, ACTIONS, context)]);
}

function judge(text: string, rules: Rule[], context: Context): string {
  for (const [pattern, answer] of rules) {
    const match = new RegExp(pattern, 'i').exec(text);
    if (match) return typeof answer === 'string' ? answer : answer(match, context);
  }
  return 'is not known to be harmless: tools/contracts/migration-rules.ts has to learn it';
}

/** @param texts statements */
function tablesMadeBy(texts: string[]) {
  const names = new Set(
    texts.flatMap((text) => /^CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?([^\s(]+)/i.exec(text)?.[1]?.toLowerCase() ?? []),
  );
  return (table: string) => names.has(table.toLowerCase());
}

/** Whether older files added a NOT NULL check for the column and validated it. */
function isChecked(column: string | undefined, earlier: string[]) {
  const texts = earlier.flatMap((sql) => statementsOf(sql).map(({ text }) => text));
  const names = texts.flatMap(
    (text) => new RegExp(`ADD CONSTRAINT (\\S+) CHECK \\(${column} IS NOT NULL\\) NOT VALID`, 'i').exec(text)?.[1] ?? [],
  );
  return names.some((name) => texts.some((text) => new RegExp(`VALIDATE CONSTRAINT ${name}$`, 'i').test(text)));
}

/** A SQL statement without comments, with strings emptied and whitespace collapsed. */
export interface Statement {
  text: string;
  /** The release that a comment `-- contract: 1.2.0` above the statement names. */
  contract: string | undefined;
}

/** Comments, strings, quoted names, dollar-quoted bodies, the end of a statement, any other character. */
const TOKEN = /--[^\n]*|\/\*[\s\S]*?\*\/|[eE]'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|;|[^;]/g;
const CONTRACT_COMMENT = /^-- contract: (\d+\.\d+\.\d+)\s*$/;

export function statementsOf(sql: string): Statement[] {
  const found: Statement[] = [];
  let text = '';
  let contract: string | undefined;
  const end = () => {
    const plain = text.replace(/\s+/g, ' ').trim();
    if (plain !== '') {
      found.push({ text: plain, contract });
      contract = undefined;
    }
    text = '';
  };
  for (const [token] of sql.matchAll(TOKEN)) {
    if (token === ';') end();
    else if (token.startsWith('--') || token.startsWith('/*')) {
      contract = CONTRACT_COMMENT.exec(token)?.[1] ?? contract;
      text += ' ';
    } else if (/^(?:[eE]?'|\$\w*\$)/.test(token)) text += "''";
    else if (token.startsWith('"')) text += token.slice(1, -1).replaceAll('""', '"');
    else text += token;
  }
  end();
  return found;
}

/** Splits at commas outside of parentheses. */
export function partsOf(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const sign of text) {
    if (sign === '(') depth += 1;
    if (sign === ')') depth -= 1;
    if (sign === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += sign;
  }
  return parts.map((part) => part.trim());
}
