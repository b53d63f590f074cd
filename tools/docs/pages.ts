import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { REPO } from '../stack/context.ts';

/** Folders whose Markdown is not ours. */
const isExcluded = (name: string): boolean => name.startsWith('.') || name === 'node_modules' || name === 'dist';

/** @returns all Markdown files of the repository, by their paths in it; each is a page of the site */
export const markdownFiles = (): string[] =>
  globSync('**/*.md', { cwd: REPO, exclude: (path) => isExcluded(posix.basename(String(path))) }).sort();

export const readMarkdown = (file: string): string => readFileSync(posix.join(REPO, file), 'utf8');

/** The text of the first heading, without code formatting. */
export const titleOf = (text: string): string => (/^# (.+)$/m.exec(text)?.[1] ?? '').replaceAll('`', '');

/** Pages whose place in the site does not follow from their path. */
const SITE_PATHS: Record<string, string> = {
  'README.md': 'readme.md',
  'docs/README.md': 'index.md',
  'CONTRIBUTING.md': 'contributing.md',
  'CHANGELOG.md': 'changelog.md',
};

/** @returns the path in the site of a Markdown file of the repository, as VitePress's `rewrites` has it */
export const sitePathOf = (file: string): string =>
  SITE_PATHS[file] ?? file.replace(/^docs\//, '').replace(/(^|\/)README\.md$/, '$1index.md');

/** @returns the address in the site, from its root */
export const addressOf = (file: string): string =>
  `/${sitePathOf(file)
    .replace(/(^|\/)index\.md$/, '$1')
    .replace(/\.md$/, '.html')}`;

/** @returns the anchor of a heading, as Git hosts generate it and the site does, too */
export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
