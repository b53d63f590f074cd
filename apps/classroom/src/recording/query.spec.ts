import { layoutOf, layoutOfMetadata, readQuery } from './query.js';

describe('the query of the recording page', () => {
  it('contains address, token, layout, title and logo', () => {
    expect(readQuery('?url=ws%3A%2F%2Fmedia&token=t&layout=speaker&title=Algebra%201&logo=%2Fpictures%2FAbc_-9')).toEqual({
      url: 'ws://media',
      token: 't',
      boardToken: '',
      layout: 'speaker',
      title: 'Algebra 1',
      logoUrl: '/pictures/Abc_-9',
    });
    expect(readQuery('?url=u&token=t')).toMatchObject({ layout: 'grid', title: '', logoUrl: null, token: 't' });
    expect(readQuery('?url=u', '#token=a%20b')).toMatchObject({ url: 'u', token: 'a b' });
    expect(readQuery('?url=u&token=t', '#board=b')).toMatchObject({ token: 't', boardToken: 'b' });
    expect(readQuery('?url=u&board=b', '#token=t')).toMatchObject({ token: 't', boardToken: '' });
    expect(readQuery('?url=u&token=t', '#')).toMatchObject({ token: 't' });
  });

  it.each(['javascript:alert(1)', 'https://school.example/l.png', '//school.example/pictures/l.png', 'pictures/l.png', ''])(
    'has no logo that is elsewhere, such as %j',
    (logo) => expect(readQuery(`?logo=${encodeURIComponent(logo)}`).logoUrl).toBeNull(),
  );

  it.each([
    ['grid', 'grid'],
    ['grid-light', 'grid'],
    ['speaker-dark', 'speaker'],
    ['single-speaker', 'speaker'],
    ['mosaic', undefined],
    ['', undefined],
  ])('has the layout %s as %s', (name, layout) => expect(layoutOf(name)).toBe(layout));

  it('can be changed by valid metadata only', () => {
    expect(layoutOfMetadata('{"layout":"speaker"}')).toBe('speaker');
    for (const other of [undefined, '', 'x', '{}', '{"layout":3}', 'null']) expect(layoutOfMetadata(other)).toBeUndefined();
  });
});
