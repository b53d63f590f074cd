import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { NO_USAGE } from '../models/task-models.js';
import { creditsFor, PriceTable } from './price-table.js';

const price = (
  model: string,
  perMillionInputTokens: string,
  perMillionOutputTokens = '0',
  perMinuteOfAudio = '0',
  perMillionCharacters = '0',
) => ({
  model,
  perMillionInputTokens,
  perMillionOutputTokens,
  perMinuteOfAudio,
  perMillionCharacters,
});
const used = (inputTokens: number, outputTokens = 0, audioSeconds = 0, characters = 0) => ({
  ...NO_USAGE,
  inputTokens,
  outputTokens,
  audioSeconds,
  characters,
});
const by = (model: string) => ({ provider: 'openai-compatible', model });

describe('PriceTable', () => {
  it('adds up the usage of a call', () => {
    const table = new PriceTable([[price('m', '0.15', '0.6', '0.006', '15')]]);
    expect(table.cost(by('m'), used(1_000, 500)).toFixed()).toBe('0.00045');
    expect(table.cost(by('m'), used(1)).toFixed()).toBe('0.00000015');
    expect(table.cost(by('m'), used(0, 0, 90)).toFixed()).toBe('0.009');
    expect(table.cost(by('m'), used(0, 0, 0, 1_000)).toFixed()).toBe('0.015');
  });

  it('uses the exact name, else the longest prefix, and the organization’s own price before the installation’s', () => {
    const table = new PriceTable([
      [price('gpt-4o', '1'), price('same', '7')],
      [price('gpt', '2'), price('gpt-4o-mini', '3'), price('same', '8')],
    ]);
    const cost = (model: string) => table.cost(by(model), used(1_000_000)).toNumber();
    expect([cost('gpt-4o'), cost('gpt-4o-2024-08-06'), cost('gpt-4o-mini'), cost('gpt-4o-mini-x'), cost('gpt-3'), cost('same')]).toEqual([
      1, 1, 3, 3, 2, 7,
    ]);
    expect(cost('llama')).toBe(0);
  });

  it('charges the sum of the rounded parts, without loss in the ninth decimal', () => {
    fc.assert(
      fc.property(fc.nat(1e9), fc.nat(1e9), (input, output) => {
        const cost = new PriceTable([[price('m', '0.123', '4.567')]]).cost(by('m'), used(input, output));
        const exact = new Decimal(input).times('0.123').plus(new Decimal(output).times('4.567')).div(1e6);
        expect(cost.minus(exact).abs().lte('0.0000000005')).toBe(true);
        expect(cost.decimalPlaces()).toBeLessThanOrEqual(9);
      }),
    );
  });
});

it('charges credits if they have a price', () => {
  expect(creditsFor(undefined, used(1_000_000)).toNumber()).toBe(0);
  expect(creditsFor({ perMillionInputTokens: '100', perMillionOutputTokens: '400' }, used(2_500, 1_000)).toFixed()).toBe('0.65');
});
