import * as contracts from '@classroom/contracts';
import de from './de.json';
import en from './en.json';

type Words = { [key: string]: string | Words };

const entries = (words: Words, path = ''): [string, string][] =>
  Object.entries(words).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${path}${key}`, value] as [string, string]] : entries(value, `${path}${key}.`),
  );
const slots = (text: string) => [...text.matchAll(/{{(\w+)}}/g)].map(([, name]) => name).sort();

it('the console has the same texts with the same values in German and in English', () => {
  const german = new Map(entries(de));
  expect([...german.keys()].sort()).toEqual(
    entries(en)
      .map(([key]) => key)
      .sort(),
  );
  for (const [key, text] of entries(en)) expect([key, slots(german.get(key) ?? '')]).toEqual([key, slots(text)]);
});

it('the audit log has a sentence for every call that is in it', () => {
  const audited = contracts.endpointsAmong(Object.values(contracts)).filter(({ audit }) => audit !== 'none');
  expect(audited.map(({ operationId }) => operationId).filter((id) => !(id in en.audit.did))).toEqual([]);
});
