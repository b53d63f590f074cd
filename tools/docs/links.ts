import { existsSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { REPO } from '../stack/context.ts';
import { addressOf, markdownFiles, readMarkdown, slugOf } from './pages.ts';

/** A link to a file, a folder or a heading of this repository. */
export interface Link {
  /** As the page has it. */
  written: string;
  /** Path in the repository; begins with `..` if it leaves it. */
  target: string;
  anchor: string | undefined;
}

/** Without code, because links and headings in it are examples. */
const withoutBlocks = (text: string): string => text.replaceAll(/^( *)(```+|~~~+)[\s\S]*?^\1\2/gm, '');
const withoutCode = (text: string): string => withoutBlocks(text).replaceAll(/`[^`\n]+`/g, '');

/** @returns the path and the anchor that a link of `file` means, or undefined for an address of another site */
export function resolveLink(file: string, written: string): Link | undefined {
  if (/^(?:[a-z][a-z+.-]*:|\/\/)/i.test(written)) return undefined;
  const [path = '', anchor] = decodeURI(written).split('#');
  const target = path === '' ? file : posix.join(posix.dirname(file), path);
  return { written, target: target.replace(/\/$/, ''), anchor };
}

/** @param text of the page `file` */
export function linksOf(file: string, text: string): Link[] {
  const found = withoutCode(text).matchAll(/\]\(([^)\s]+)[^)]*\)|^\[[^\]]+\]: *(\S+)|\b(?:src|href)="([^"]+)"/gm);
  return [...found].flatMap(([, link, reference, attribute]) => resolveLink(file, link ?? reference ?? attribute ?? '') ?? []);
}

/** @returns the anchors of a page's headings */
export function anchorsOf(text: string): Set<string> {
  const times = new Map<string, number>();
  const anchors = new Set<string>();
  for (const [, heading = ''] of withoutBlocks(text).matchAll(/^#{1,6} (.+)$/gm)) {
    const slug = slugOf(heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1'));
    const before = times.get(slug) ?? 0;
    times.set(slug, before + 1);
    anchors.add(before === 0 ? slug : `${slug}-${before}`);
  }
  return anchors;
}

const at = (target: string): string => posix.join(REPO, target);
const exists = (target: string): boolean => !target.startsWith('..') && existsSync(at(target));

/** @returns the links of a page whose target or heading does not exist, as written */
export function brokenLinks(file: string, text: string): string[] {
  const isBroken = ({ target, anchor }: Link): boolean => {
    if (!exists(target)) return true;
    return anchor !== undefined && !anchorsOf(target === file ? text : pageAt(target)).has(anchor);
  };
  return linksOf(file, text)
    .filter(isBroken)
    .map(({ written }) => written);
}

const isFolder = (target: string): boolean => exists(target) && statSync(at(target)).isDirectory();
const indexOf = (target: string): string => (isFolder(target) ? posix.join(target, 'README.md') : target);
/** The text of a page, also by its folder; other files have no headings. */
const pageAt = (target: string): string =>
  indexOf(target).endsWith('.md') && exists(indexOf(target)) ? readMarkdown(indexOf(target)) : '';

/** Files that have a page or an address of their own in the site. */
const SHOWN_BY: Record<string, string> = {
  'docs/reference/openapi.json': '/api-reference.html',
  'docs/reference/openapi.internal.json': '/operators-reference.html',
  'docs/reference/asyncapi.json': '/reference/asyncapi.json',
};
const IMAGE = /\.(?:png|svg|jpe?g|webp)$/;

/** @returns the address in the site of a file or folder that a page links to; sources are in `/files`, as text */
export function addressOfTarget(target: string): string {
  const index = indexOf(target);
  if (index.endsWith('.md') && exists(index)) return addressOf(index);
  return SHOWN_BY[target] ?? `/files/${target}${isFolder(target) ? '/index.html' : '.txt'}`;
}

/** @returns files and folders without a page that some page links to: the site carries copies of them */
export function linkedFiles(): string[] {
  const targets = markdownFiles().flatMap((file) => linksOf(file, readMarkdown(file)).map(({ target }) => target));
  return [...new Set(targets)]
    .filter((target) => exists(target) && !IMAGE.test(target) && addressOfTarget(target).startsWith('/files/'))
    .sort();
}
