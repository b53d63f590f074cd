import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { REPO } from './programs.js';

/** A page, and what of it is prose: code blocks taken out, for a link in one is an example. */
export interface Page {
  file: string;
  folder: string;
  text: string;
  prose: string;
  /** What stands in `code formatting`. */
  code: string[];
}

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'docs/**/*.md',
  '{apps,libs}/*/README.md',
  'tools/README.md',
  'test/bench/*/README.md',
  'deploy/helm/*/README.md',
];

function readPage(file: string): Page {
  const text = readFileSync(join(REPO, file), 'utf8');
  const prose = text.replaceAll(/^```[\s\S]*?^```/gm, '');
  return { file, folder: dirname(file), text, prose, code: [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code) };
}

export const readPages = (): Page[] => globSync(PAGES, { cwd: REPO }).sort().map(readPage);

/** As GitHub makes them of headings. */
function anchorsOf(file: string): Set<string> {
  const seen = new Map<string, number>();
  const anchors = new Set<string>();
  for (const [, heading = ''] of readPage(file).prose.matchAll(/^#{1,6} (.+)$/gm)) {
    const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = words
      .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .trim()
      .replaceAll(' ', '-');
    const times = seen.get(slug) ?? 0;
    seen.set(slug, times + 1);
    anchors.add(times === 0 ? slug : `${slug}-${times}`);
  }
  return anchors;
}

/** Links within the repository that lead nowhere. */
export function brokenLinks({ file, folder, prose }: Page): string[] {
  const withoutCode = prose.replaceAll(/`[^`\n]+`/g, '');
  const targets = [...withoutCode.matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g)].map(
    ([, link, attribute]) => link ?? attribute ?? '',
  );
  return targets.filter((target) => {
    if (/^[a-z][a-z+.-]*:/i.test(target)) return false;
    const [path = '', anchor] = decodeURI(target).split('#');
    const at = path === '' ? file : join(folder, path);
    if (at.startsWith('..') || !existsSync(join(REPO, at))) return true;
    return anchor !== undefined && at.endsWith('.md') && !anchorsOf(at).has(anchor);
  });
}

/** What is built, made by a start, kept from the repository, or another's example. */
const NOT_HERE = /(^|\/)(dist|node_modules|\.stack)(\/|$)|\.env$|[<>…]|\.\.\./;
const FROM_THE_ROOT = /^(apps|libs|tools|test|docs|deploy|\.ci)\/[^ ]*$/;
const FROM_THE_PAGE = /^(src|test|migrations|files|templates|examples)\/[^ ]*$/;

/** Paths in code formatting that are none. */
export function missingPaths({ folder, code }: Page): string[] {
  const paths = code.filter((text) => (FROM_THE_ROOT.test(text) || FROM_THE_PAGE.test(text)) && !NOT_HERE.test(text));
  return paths.filter((path) => ![folder, '.'].some((from) => globSync(path, { cwd: join(REPO, from) }).length > 0));
}

/** Names of scripts that follow `npm run`. */
export const scriptsIn = ({ text }: Page): string[] => [...text.matchAll(/npm run ([a-z][\w:-]*)/g)].map(([, script = '']) => script);

/** Names in capitals, with or without a value: variables, error codes, states. */
export function namesIn({ code }: Page): string[] {
  return code.flatMap((text) => /^([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=|$)/.exec(text)?.[1] ?? []);
}

/** Names of others: Android's permission. */
const OTHERS = ['RECORD_AUDIO'];

/** Every such name that the code knows. */
export function knownNames(): Set<string> {
  const sources = globSync(
    [
      '{apps,libs}/*/{src,migrations}/**/*.{ts,tsx,sql}',
      'tools/**/*.{ts,cjs}',
      'test/**/*.{ts,js}',
      'deploy/**/*.{js,yaml,tpl}',
      'docker-compose.yml',
      'deploy/docker/Dockerfile',
    ],
    {
      cwd: REPO,
      exclude: (file) => relative('.', file).includes('node_modules'),
    },
  );
  return new Set([
    ...OTHERS,
    ...sources.flatMap((file) => readFileSync(join(REPO, file), 'utf8').match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g) ?? []),
  ]);
}
