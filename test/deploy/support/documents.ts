import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { REPO } from './programs.js';

/** A page and its prose without code blocks, because links in code blocks are examples. */
export interface Page {
  file: string;
  folder: string;
  text: string;
  prose: string;
  /** The texts in `code formatting`. */
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

/** Paths that are not in the repository: build output, files of a running stack, ignored files, and placeholders. */
const NOT_HERE = /(^|\/)(dist|node_modules|\.stack)(\/|$)|\.env$|[<>…]|\.\.\./;
const FROM_THE_ROOT = /^(apps|libs|tools|test|docs|deploy|\.ci)\/[^ ]*$/;
const FROM_THE_PAGE = /^(src|test|migrations|files|templates|examples)\/[^ ]*$/;

/** @returns paths in code formatting that do not exist */
export function missingPaths({ folder, code }: Page): string[] {
  const paths = code.filter((text) => (FROM_THE_ROOT.test(text) || FROM_THE_PAGE.test(text)) && !NOT_HERE.test(text));
  return paths.filter((path) => ![folder, join(folder, 'src'), '.'].some((from) => globSync(path, { cwd: join(REPO, from) }).length > 0));
}

/** @returns the scripts that `npm run` is called with */
export const scriptsIn = ({ text }: Page): string[] => [...text.matchAll(/npm run ([a-z][\w:-]*)/g)].map(([, script = '']) => script);

/** @returns names in capitals, with or without a value: variables, error codes, states */
export function namesIn({ code }: Page): string[] {
  return code.flatMap((text) => /^([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=|$)/.exec(text)?.[1] ?? []);
}

/** The ways in which pages name an operation: in prose and HTTP blocks, with curl, and as the arguments of a call. */
const OPERATIONS = [
  /\b(GET|POST|PUT|PATCH|DELETE) (\/v1\/[^\s`?"'|),]+)/g,
  /curl -\w+(?: -X|X)? ?(GET|POST|PUT|PATCH|DELETE)? ?[^\n]*?\$GATEWAY(\/v1\/[^\s`?"'|)]+)/g,
  /'(GET|POST|PUT|PATCH|DELETE)', ["'](\/v1\/[^\s`?"']+)["']/g,
];

/** @returns the operations that a page names, as `METHOD /path` */
export const operationsIn = ({ text }: Pick<Page, 'text'>): string[] =>
  OPERATIONS.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, method = 'GET', path = '']) => `${method} ${path.replace(/[.;:]$/, '')}`),
  );

/** @returns whether a reference has the operation; a variable or an example stands for a parameter, `…` for any end */
export function hasOperation(known: string[], operation: string): boolean {
  const open = operation.endsWith('…') ? operation.slice(0, -1).split('/').length - 1 : undefined;
  const parts = operation.split('/').slice(0, open);
  return known.some((it) => {
    const theirs = it.split('/');
    return (
      (open !== undefined || theirs.length === parts.length) &&
      parts.every((part, at) => part === theirs[at] || (theirs[at]?.startsWith('{') === true && part !== ''))
    );
  });
}

/** Names of other systems, such as Android's permission. */
const OTHERS = ['RECORD_AUDIO'];

/** @returns all names in capitals in the code */
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
