/** One change of one line, which a test should notice. */
export interface Mutant {
  /** Path within the repository. */
  file: string;
  /** From 1. */
  line: number;
  operator: string;
  before: string;
  after: string;
}

interface Operator {
  name: string;
  /** @returns the changed line for each place where the operator applies */
  apply(line: string): string[];
}

/** Changes each match on its own. */
const replacing = (name: string, pattern: RegExp, change: (match: string) => string): Operator => ({
  name,
  apply: (line) =>
    [...line.matchAll(new RegExp(pattern, 'g'))].map(
      ({ 0: match, index }) => `${line.slice(0, index)}${change(match)}${line.slice(index + match.length)}`,
    ),
});

const SWAPS: [string, string][] = [
  ['===', '!=='],
  ['!==', '==='],
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
  ['&&', '||'],
  ['||', '&&'],
  ['+', '-'],
  ['-', '+'],
  ['*', '/'],
  ['/', '*'],
];

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

const OPERATORS: Operator[] = [
  ...SWAPS.map(([from, to]) => replacing(`${from} → ${to}`, new RegExp(` ${escaped(from)} `), () => ` ${to} `)),
  replacing('true → false', /\btrue\b/, () => 'false'),
  replacing('false → true', /\bfalse\b/, () => 'true'),
  replacing('number + 1', /(?<![\w.'$#])\d[\d_]*(?![\w.'])/, (match) => String(Number(match.replaceAll('_', '')) + 1)),
  {
    name: 'negated condition',
    apply: (line) =>
      /^\s*(?:\} else )?if \(.+\) [^{]/.test(line)
        ? [line.replace(/if \((.+?)\) (?=return|throw|continue|await|void|this)/, 'if (!($1)) ')].filter((it) => it !== line)
        : [],
  },
  {
    name: 'negated block condition',
    apply: (line) => (/^\s*if \(.+\) \{$/.test(line) ? [line.replace(/if \((.+)\) \{$/, 'if (!($1)) {')] : []),
  },
  { name: 'removed call', apply: (line) => (/^\s*(await )?this\.[\w.]+\(.*\);$/.test(line) ? [line.replace(/\S.*$/, ';')] : []) },
];

/** Lines that say nothing about behaviour: imports, comments, types, decorators, log messages, and constants of documentation. */
const EXCLUDED =
  /^\s*(import |export (type|interface) |\/\/|\/\*|\*|@|logger\.|type |interface )|=> (void|Promise)|: (Promise|Map|Record|Set)<[^=]*;$|\.describe\(|logger\./;

/** @returns all mutants of a file, in order */
export function mutantsOf(file: string, text: string): Mutant[] {
  const lines = text.split('\n');
  let isInType = false;
  return lines.flatMap((line, index) => {
    if (/^(export )?interface /.test(line)) isInType = true;
    if (isInType) {
      if (line === '}' || line.endsWith('{}')) isInType = false;
      return [];
    }
    if (EXCLUDED.test(line)) return [];
    return OPERATORS.flatMap(({ name, apply }) =>
      apply(line).map((after) => ({ file, line: index + 1, operator: name, before: line.trim(), after: after.trim() })),
    );
  });
}

export function applyTo(text: string, { line, after }: Mutant): string {
  const lines = text.split('\n');
  const indent = /^\s*/.exec(lines[line - 1] ?? '')?.[0] ?? '';
  lines[line - 1] = `${indent}${after}`;
  return lines.join('\n');
}

/** The same choice for the same seed: each file gives at most one mutant, until every file has given one. */
export function choose(mutants: Mutant[], count: number, seed: number): Mutant[] {
  const random = randomFrom(seed);
  const shuffled = mutants
    .map((mutant) => ({ mutant, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ mutant }) => mutant);
  const chosen: Mutant[] = [];
  while (chosen.length < count && chosen.length < mutants.length) {
    const files = new Set<string>();
    for (const mutant of shuffled) {
      if (chosen.length === count) break;
      if (files.has(mutant.file) || chosen.includes(mutant)) continue;
      files.add(mutant.file);
      chosen.push(mutant);
    }
  }
  return chosen;
}

/** mulberry32 */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
