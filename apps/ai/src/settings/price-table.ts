import { Decimal } from 'decimal.js';
import type { CreditPrice, ModelPrice } from '@classroom/contracts';
import type { ModelName, ModelUsage } from '../models/ai-provider.js';

/** Decimals that are stored for each call, so that sums add up exactly the rounded values. */
const DECIMALS = 9;
const MILLION = 1_000_000;
const SECONDS_PER_MINUTE = 60;

/** Prices of calls, by model. A model without an entry costs nothing. */
export class PriceTable {
  /**
   * @param lists price lists. An exact name in any list comes first, then the longest prefix of the model's name; of equal matches, the
   * earlier list's.
   */
  constructor(private readonly lists: readonly (readonly ModelPrice[])[]) {}

  cost({ model }: ModelName, used: ModelUsage): Decimal {
    const price = this.priceOf(model);
    if (!price) return new Decimal(0);
    return new Decimal(price.perMillionInputTokens)
      .times(used.inputTokens)
      .plus(new Decimal(price.perMillionOutputTokens).times(used.outputTokens))
      .plus(new Decimal(price.perMillionCharacters).times(used.characters))
      .div(MILLION)
      .plus(new Decimal(price.perMinuteOfAudio).times(used.audioSeconds).div(SECONDS_PER_MINUTE))
      .toDecimalPlaces(DECIMALS, Decimal.ROUND_HALF_UP);
  }

  private priceOf(model: string): ModelPrice | undefined {
    const all = this.lists.flat();
    const exact = all.find((price) => price.model === model);
    if (exact) return exact;
    const beginnings = all.filter((price) => model.startsWith(price.model));
    return beginnings.reduce<ModelPrice | undefined>(
      (longest, price) => (longest && longest.model.length >= price.model.length ? longest : price),
      undefined,
    );
  }
}

/** 0 if AI costs the organization no credits. */
export function creditsFor(price: CreditPrice | undefined, { inputTokens, outputTokens }: ModelUsage): Decimal {
  if (!price) return new Decimal(0);
  return new Decimal(price.perMillionInputTokens)
    .times(inputTokens)
    .plus(new Decimal(price.perMillionOutputTokens).times(outputTokens))
    .div(MILLION)
    .toDecimalPlaces(DECIMALS, Decimal.ROUND_HALF_UP);
}
