import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vitepress';
import { markdownFiles, sitePathOf, slugOf } from '../../tools/docs/pages.ts';
import { REPO } from '../../tools/stack/context.ts';
import { configureMarkdown } from './markdown.ts';
import { nav, sidebar } from './navigation.ts';
import { PUBLIC, writePublic } from './public.ts';
import { miniSearch, renderForSearch } from './search.ts';

await writePublic();

/** Pages outside this folder find no package of it, so the imports of their server-side code stay as they are. */
const vueOfThisFolder: Plugin = {
  name: 'vue-of-this-folder',
  enforce: 'pre',
  resolveId: (id, _, { ssr }) => (ssr && /^vue(?:\/server-renderer)?$/.test(id) ? { id, external: true } : undefined),
};

const STYLES = /(?:vitepress\/dist\/client|@docsearch\/css)\/.*\.css$/;
/** Without layers, VitePress's resets would win over the styles of the reference, which are in layers. */
const themeInLayer: Plugin = {
  name: 'theme-in-layer',
  enforce: 'pre',
  transform: (code, id) => (STYLES.test(id) ? `@layer vitepress {\n${code}\n}` : undefined),
};

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#2457d6"/><path d="M7 10h12v12H7zM21 14l5-3v10l-5-3z" fill="#fff"/></svg>`;

export default defineConfig({
  title: 'Virtual Classroom',
  description: 'An API for live online classes.',
  lang: 'en',
  // The pages are the Markdown files of the whole repository, where they are.
  srcDir: REPO,
  srcExclude: ['**/dist/**', '**/.*/**'],
  rewrites: Object.fromEntries(markdownFiles().map((file) => [file, sitePathOf(file)])),
  ignoreDeadLinks: 'localhostLinks',
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  markdown: {
    anchor: { slugify: slugOf },
    // Some colors of the plain themes miss 4.5:1.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: configureMarkdown,
  },
  transformPageData(page) {
    // Pictures, wide tables and programs need the place of the outline.
    if (/^guides\/(?:concepts|migrating|quickstarts)\//.test(page.relativePath)) page.frontmatter['aside'] = false;
    if (page.relativePath === 'index.md') Object.assign(page.frontmatter, { aside: false, titleTemplate: false });
    if (page.relativePath.endsWith('-reference.md'))
      Object.assign(page.frontmatter, { layout: 'page', sidebar: false, pageClass: 'reference' });
  },
  vite: {
    publicDir: PUBLIC,
    // Otherwise the development server reads the HTML files of all apps and tests.
    optimizeDeps: { entries: [] },
    plugins: [vueOfThisFolder, themeInLayer],
    // Otherwise the development server watches the data of a running stack.
    server: { watch: { ignored: ['.stack', '.toolchain', '.nx'].map((folder) => join(REPO, folder, '**')) } },
    build: { chunkSizeWarningLimit: 1_500 },
  },
  themeConfig: {
    nav,
    sidebar,
    outline: [2, 3],
    search: { provider: 'local', options: { _render: renderForSearch, miniSearch } },
    footer: { message: 'Apache-2.0' },
  },
});
