import { Decimal } from 'decimal.js';
import type { CreditPrice, ModelPrice } from '@classroom/contracts';
import type { ModelName, ModelUsage } from '../models/ai-provider.js';

/** As many decimals as are kept of a call: what is summed later is what was rounded here. */
const DECIMALS = 9;
const MILLION = 1_000_000;
const SECONDS_PER_MINUTE = 60;

/** What calls cost, by model. A model that stands nowhere costs nothing. */
export class PriceTable {
  /** @param lists the first one that has a price decides, the exact name before any beginning of it */
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

/** 0 where AI costs the organization no credits. */
export function creditsFor(price: CreditPrice | undefined, { inputTokens, outputTokens }: ModelUsage): Decimal {
  if (!price) return new Decimal(0);
  return new Decimal(price.perMillionInputTokens)
    .times(inputTokens)
    .plus(new Decimal(price.perMillionOutputTokens).times(outputTokens))
    .div(MILLION)
    .toDecimalPlaces(DECIMALS, Decimal.ROUND_HALF_UP);
}
