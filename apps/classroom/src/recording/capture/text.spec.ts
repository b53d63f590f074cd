import { truncate } from './text.js';

const context = { measureText: (text: string) => ({ width: [...text].length * 10 }) as TextMetrics };

it.each([
  ['Ada', 100, 'Ada'],
  ['Ada Lovelace', 60, 'Ada L…'],
  ['Ada Lovelace', 50, 'Ada…'],
  ['👩‍🏫👩‍🏫', 5, '…'],
])('%s in %d pixels', (text, pixels, shown) => expect(truncate(context, text, pixels)).toBe(shown));
