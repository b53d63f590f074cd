import { anchorsOf, addressOfTarget, brokenLinks, linkedFiles, linksOf } from './links.ts';
import { markdownFiles, readMarkdown, titleOf } from './pages.ts';

const files = markdownFiles();

describe('the Markdown of the repository', () => {
  it('is found, and only ours', () => {
    expect(files).toEqual(
      expect.arrayContaining(['README.md', 'docs/README.md', 'docs/architecture.md', 'apps/room/README.md', 'libs/sdk/README.md']),
    );
    expect(files.filter((file) => /node_modules|(^|\/)\./.test(file))).toEqual([]);
    expect(files.filter((file) => titleOf(readMarkdown(file)) === '')).toEqual([]);
  });

  it('links to existing files and headings', () => {
    expect(files.flatMap((file) => brokenLinks(file, readMarkdown(file)).map((link) => `${file}: ${link}`))).toEqual([]);
  });

  it('links to no folder outside the site: sources are copied into it', () => {
    expect(linkedFiles()).toEqual(expect.arrayContaining(['LICENSE', 'deploy/helm/virtual-classroom/files/alerts']));
    expect(linkedFiles().filter((file) => file.endsWith('.md'))).toEqual([]);
  });

  it('lists every decision with its title', () => {
    const decisions = files.filter((file) => /^docs\/adr\/\d/.test(file));
    const lines = decisions.map((file) => {
      const [, number, title] = /^# (\d+)\. (.+)$/m.exec(readMarkdown(file)) ?? [];
      return `| ${number} | [${title}](${file.slice('docs/adr/'.length)}) |`;
    });
    expect(
      readMarkdown('docs/adr/README.md')
        .split('\n')
        .filter((line) => /^\| \d/.test(line)),
    ).toEqual(lines);
  });
});

describe('a broken link', () => {
  const page = 'docs/guides/webhooks.md';
  it.each([
    ['a missing file', '[x](missing.md)'],
    ['a missing heading of the page', '[x](#missing)'],
    ['a missing heading of another page', '[x](../architecture.md#missing)'],
    ['a heading of a file that is no page', '[x](../../LICENSE#terms)'],
    ['a path that leaves the repository', '[x](../../../x)'],
    ['a missing image', '<img src="../images/missing.png">'],
    ['a missing target of a reference', 'See [x].\n\n[x]: missing.md'],
  ])('is found: %s', (_, text) => {
    expect(brokenLinks(page, text)).toHaveLength(1);
  });

  it.each([
    ['a heading of the page', '# A `b`: c\n\n[x](#a-b-c)'],
    ['the second heading of a name', '# A\n\n# A\n\n[x](#a-1)'],
    ['a folder', '[x](../adr)'],
    ['another site', '[x](https://school.example/missing.md)'],
    ['an example in code', '`[x](missing.md)`\n\n```md\n[x](missing.md)\n```\n\n1. In a list:\n\n   ```md\n   [x](missing.md)\n   ```'],
  ])('is not reported: %s', (_, text) => {
    expect(brokenLinks(page, text)).toEqual([]);
  });

  it('is not hidden by a code block that ends before it', () => {
    expect(linksOf(page, '```sh\nls\n```\n\n[x](a.md)\n\n```sh\nls\n```\n').map(({ target }) => target)).toEqual(['docs/guides/a.md']);
    expect([...anchorsOf('# A\n\n```sh\n# no heading\n```\n\n## B\n')]).toEqual(['a', 'b']);
  });
});

describe('the address in the site', () => {
  it.each([
    ['docs/README.md', '/'],
    ['README.md', '/readme.html'],
    ['CHANGELOG.md', '/changelog.html'],
    ['docs/guides/webhooks.md', '/guides/webhooks.html'],
    ['docs/adr', '/adr/'],
    ['apps/room/README.md', '/apps/room/'],
    ['libs/platform', '/libs/platform/'],
    ['docs/reference/openapi.json', '/api-reference.html'],
    ['LICENSE', '/files/LICENSE.txt'],
    ['deploy/helm/virtual-classroom/files/alerts', '/files/deploy/helm/virtual-classroom/files/alerts/index.html'],
  ])('of %s is %s', (target, address) => {
    expect(addressOfTarget(target)).toBe(address);
  });
});
