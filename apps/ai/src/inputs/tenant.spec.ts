import { tenantOf } from '@classroom/storage';
import { isOwnKey } from './tenant.js';

describe('whose an uploaded input is', () => {
  it('is told by the first 24 digits of the organization’s hash', () => {
    expect(tenantOf('org_a')).toMatch(/^[0-9a-f]{24}$/);
    expect(isOwnKey('org_a', `ai-inputs/${tenantOf('org_a')}/3f0c`)).toBe(true);
  });

  it('refuses another’s, and what lies elsewhere', () => {
    expect(isOwnKey('org_a', `ai-inputs/${tenantOf('org_b')}/3f0c`)).toBe(false);
    expect(isOwnKey('org_a', `recordings/${tenantOf('org_a')}/3f0c`)).toBe(false);
    expect(isOwnKey('org_a', `ai-inputs/${tenantOf('org_a')}0/3f0c`)).toBe(false);
  });
});
