import { posix } from 'node:path';
import type { DefaultTheme } from 'vitepress';
import { addressOf, markdownFiles, readMarkdown, titleOf } from '../../tools/docs/pages.ts';

type Item = DefaultTheme.SidebarItem;

const files = markdownFiles();
const item = (file: string, text = titleOf(readMarkdown(file))): Item => ({ text, link: addressOf(file) });
/** The pages that the pattern matches, a folder's own page first. */
const all = (pattern: RegExp): Item[] =>
  files
    .filter((file) => pattern.test(file))
    .sort((a, b) => Number(b.endsWith('README.md')) - Number(a.endsWith('README.md')))
    .map((file) => item(file));
const guides = (...names: string[]): Item[] => names.map((name) => item(`docs/guides/${name}.md`));

const START = ['walkthrough', 'local-stack'];
const OPERATE = [
  'one-machine',
  'compose',
  'kubernetes',
  'capacity',
  'scaling',
  'slos',
  'backup-and-restore',
  'upgrading',
  'releasing',
  'security-model',
  'data-protection',
  'audit-log',
  'video-cdn',
  'troubleshooting-by-trace',
];
/** Every guide that no other group has, so that a new guide is never missing. */
const others = files
  .filter((file) => posix.dirname(file) === 'docs/guides')
  .map((file) => posix.basename(file, '.md'))
  .filter((name) => ![...START, ...OPERATE].includes(name));
/** Its name leads to its first page: without a link it would be a button, with the one that unfolds it inside. */
const folded = (text: string, items: Item[]): Item => ({
  text,
  items,
  collapsed: true,
  ...(items[0]?.link ? { link: items[0].link } : {}),
});
/** The pages of a folder of guides, the named ones first. A label need not repeat what its group says. */
const folder = (name: string, first: string[] = []): Item[] => {
  const listed = [
    ...first.map((page) => `docs/guides/${name}/${page}.md`),
    ...files.filter((file) => posix.dirname(file) === `docs/guides/${name}`),
  ];
  return [...new Set(listed)].map((file) =>
    item(
      file,
      titleOf(readMarkdown(file)).replace(/^Recipe: (.)/, (_, letter: string) => letter.toUpperCase()),
    ),
  );
};

export const sidebar: Item[] = [
  {
    text: 'Start',
    items: [
      item('docs/README.md', 'Overview'),
      item('README.md', 'First class'),
      ...folder('quickstarts', ['node', 'python']),
      ...guides(...START),
    ],
  },
  { text: 'Concepts', items: folder('concepts', ['life-of-a-class']) },
  { text: 'Recipes', items: folder('recipes', ['embed']) },
  { text: 'Guides', items: guides(...others) },
  { text: 'Migrating', items: folder('migrating') },
  {
    text: 'API',
    items: [
      ...folder('api'),
      item('docs/api-reference.md', 'Reference'),
      item('docs/operators-reference.md', 'Reference for operators'),
      item('libs/sdk/README.md', 'TypeScript client'),
      item('libs/sdk-python/README.md', 'Python client'),
      item('libs/embed/README.md', 'Embed package'),
      item('libs/cli/README.md', 'Command line'),
    ],
  },
  {
    text: 'Operate',
    items: [
      ...guides(...OPERATE),
      item('docs/configuration.md'),
      item('deploy/helm/virtual-classroom/README.md', 'Helm chart'),
      folded('Runbooks', all(/^docs\/runbooks\//)),
    ],
  },
  {
    text: 'Understand',
    items: [
      item('docs/architecture.md'),
      item('docs/anatomy.md'),
      item('docs/glossary.md'),
      folded('Decisions', all(/^docs\/adr\//)),
      folded('Apps', all(/^apps\//)),
      folded('Libraries', all(/^libs\/(?!sdk|embed|cli)/)),
      folded('Benchmarks', all(/^test\//)),
    ],
  },
  {
    text: 'Contribute',
    items: [item('CONTRIBUTING.md'), item('tools/README.md', 'Tools'), item('CHANGELOG.md')],
  },
];

export const nav: DefaultTheme.NavItem[] = [
  { text: 'Start', link: addressOf('docs/guides/walkthrough.md') },
  { text: 'Recipes', link: addressOf('docs/guides/recipes/embed.md') },
  { text: 'API', link: addressOf('docs/api-reference.md') },
  { text: 'Operate', link: addressOf('docs/guides/kubernetes.md') },
  { text: 'Understand', link: addressOf('docs/architecture.md') },
  { text: 'Changelog', link: addressOf('CHANGELOG.md') },
];
