import german from '../i18n/de/panels.json';
import english from '../i18n/en/panels.json';

function flat(words: object, path = ''): Map<string, string> {
  return new Map(
    Object.entries(words).flatMap(([key, value]: [string, string | object]) =>
      typeof value === 'string' ? [[path + key, value] as const] : [...flat(value, `${path}${key}.`)],
    ),
  );
}

it('the panels have the same texts with the same values in German and in English', () => {
  const [en, de] = [flat(english), flat(german)];
  const values = (text = '') => [...text.matchAll(/\{\{\w+\}\}/g)].map(String).sort();
  expect([...de.keys()].sort()).toEqual([...en.keys()].sort());
  for (const [key, text] of en) expect([key, values(de.get(key))]).toEqual([key, values(text)]);
});
