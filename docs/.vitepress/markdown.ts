import { relative } from 'node:path';
import type { MarkdownEnv, MarkdownRenderer } from 'vitepress';
import { addressOfTarget, resolveLink } from '../../tools/docs/links.ts';
import { REPO } from '../../tools/stack/context.ts';

/**
 * Makes the links of a page, which are paths in the repository, addresses of the site. VitePress then checks them. Sources are no pages:
 * the browser loads them, not the site's router.
 */
function rewriteLinks(md: MarkdownRenderer): void {
  md.core.ruler.push('repository-links', ({ tokens, env }) => {
    // The path is that of the rewritten page, except while the search reads it.
    const { path, realPath = path } = env as MarkdownEnv & { realPath?: string };
    const file = relative(REPO, realPath);
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const written = token.type === 'link_open' ? token.attrGet('href') : null;
      if (!written || written.startsWith('#')) continue;
      const link = resolveLink(file, written);
      if (!link) continue;
      const address = addressOfTarget(link.target);
      token.attrSet('href', link.anchor === undefined ? address : `${address}#${link.anchor}`);
      if (/^\/(?:files|reference)\//.test(address)) token.attrSet('target', '_self');
    }
  });
}

/** Leaves the drawing of ```mermaid blocks to the component of this name. */
function drawDiagrams(md: MarkdownRenderer): void {
  const fence = md.renderer.rules.fence;
  md.renderer.rules.fence = (tokens, index, options, env, self) => {
    const token = tokens[index];
    if (token?.info.trim() === 'mermaid') return `<Mermaid code="${encodeURIComponent(token.content)}" />`;
    return fence?.(tokens, index, options, env, self) ?? '';
  };
}

/** Most tables need no header, which Markdown demands: an empty row of headers is left out, and a single empty one is no header. */
function leaveOutEmptyHeaders(md: MarkdownRenderer): void {
  md.core.ruler.push('empty-headers', (state) => {
    const { tokens } = state;
    const isEmpty = (index: number) => tokens[index + 1]?.content.trim() === '';
    const left = new Set<number>();
    for (const [start, { type }] of tokens.entries()) {
      if (type !== 'thead_open') continue;
      const end = tokens.findIndex((token, index) => index > start && token.type === 'thead_close');
      const headers = [...tokens.keys()].slice(start, end).filter((index) => tokens[index]?.type === 'th_open');
      if (headers.every(isEmpty)) for (let index = start; index <= end; index += 1) left.add(index);
      for (const index of headers.filter(isEmpty)) for (const token of [tokens[index], tokens[index + 2]]) if (token) token.tag = 'td';
    }
    state.tokens = tokens.filter((_, index) => !left.has(index));
  });
}

/** On a phone, a wide table scrolls by itself instead of widening the page. */
function wrapTables(md: MarkdownRenderer): void {
  md.renderer.rules.table_open = (tokens, index, options, _, self) =>
    `<div class="table" tabindex="0">${self.renderToken(tokens, index, options)}`;
  md.renderer.rules.table_close = () => '</table></div>';
}

export function configureMarkdown(md: MarkdownRenderer): void {
  rewriteLinks(md);
  drawDiagrams(md);
  leaveOutEmptyHeaders(md);
  wrapTables(md);
}
