import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { REPO } from '../stack/context.ts';

describe.each(['contracts', 'messaging', 'platform'])('the library %s, as tests load it', (name) => {
  it('exports what its compiled form exports', async () => {
    const compiled = (await import(pathToFileURL(path.join(REPO, 'libs', name, 'dist', 'index.js')).href)) as object;
    const inTests = (await import(`@classroom/${name}`)) as Record<string, unknown>;
    expect(
      Object.keys(inTests)
        .filter((key) => key !== 'default')
        .toSorted(),
    ).toEqual(Object.keys(compiled).toSorted());
    expect(Object.keys(inTests).filter((key) => inTests[key] === undefined && key !== 'default')).toEqual([]);
  });
});
