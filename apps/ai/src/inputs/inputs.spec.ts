import { tenantOf } from '@classroom/storage';
import { isOwnKey } from './inputs.js';

describe('the key of an uploaded input', () => {
  it('names its organization by the first 24 digits of a hash', () => {
    expect(tenantOf('org_a')).toMatch(/^[0-9a-f]{24}$/);
    expect(isOwnKey('org_a', `ai-inputs/${tenantOf('org_a')}/3f0c`)).toBe(true);
  });

  it('is rejected if it names another organization or another folder', () => {
    expect(isOwnKey('org_a', `ai-inputs/${tenantOf('org_b')}/3f0c`)).toBe(false);
    expect(isOwnKey('org_a', `recordings/${tenantOf('org_a')}/3f0c`)).toBe(false);
    expect(isOwnKey('org_a', `ai-inputs/${tenantOf('org_a')}0/3f0c`)).toBe(false);
  });
});
