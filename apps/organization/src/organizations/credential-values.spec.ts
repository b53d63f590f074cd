import { AppError } from '@classroom/contracts';
import { requireStrong } from './credential-values.js';

const refused = (deployment: 'production' | 'local', value: string | undefined) => {
  try {
    return requireStrong({ DEPLOYMENT: deployment }, 'organizationId', value);
  } catch (error) {
    return error instanceof AppError && [error.code, error.details?.[0]?.path];
  }
};

describe('a chosen value of VF-ORG-ID', () => {
  it.each(['a', 'school', 'x'.repeat(23)])('is refused in production if it is short: %s', (value) => {
    expect(refused('production', value)).toEqual(['VALIDATION_FAILED', 'organizationId']);
    expect(refused('local', value)).toBeUndefined();
  });

  it.each([undefined, 'x'.repeat(24), 'x'.repeat(64)])('may be %s', (value) => {
    expect(refused('production', value)).toBeUndefined();
  });
});
