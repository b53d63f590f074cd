import { shortenPackages } from './shorten.ts';

const BUNDLE = `// ../../node_modules/.pnpm/pg@8/node_modules/pg/lib/client.js
function connectToServer(longArgument) {
  // a comment
  return longArgument + 1;
}
// dist/main.js
function start(argument) {
  return connectToServer(argument);
}
`;

describe('shortened packages of a bundle', () => {
  const lines = shortenPackages(BUNDLE).split('\n');

  test('a module of a package becomes one line below its name, and its functions keep their names', () => {
    expect(lines[0]).toBe('// pg/lib/client.js');
    expect(lines[1]).toMatch(/^function connectToServer\(\w\)\{return \w\+1\}?/);
    expect(lines[1]).not.toContain('longArgument');
  });

  test('our own modules are as they were', () => {
    expect(lines.slice(2).join('\n')).toBe(BUNDLE.slice(BUNDLE.indexOf('// dist/main.js')));
  });

  test('a module that cannot be parsed fails the build', () => {
    expect(() => shortenPackages('// ../node_modules/broken/index.js\nfunction (\n')).toThrow('broken/index.js cannot be shortened');
  });
});
