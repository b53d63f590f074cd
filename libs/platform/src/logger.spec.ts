import { describeError } from './logger.js';

describe('describeError', () => {
  it('describes the failure without personal data', () => {
    const driver = Object.assign(new Error('duplicate key value'), {
      code: '23505',
      detail: 'Key (organization_id)=(org_secret) already exists',
      parameters: ['org_secret', 'Ada Lovelace'],
    });
    const told = JSON.stringify(describeError(new Error('could not save', { cause: driver })));
    expect(told).toContain('could not save');
    expect(told).toContain('23505');
    expect(told).not.toContain('org_secret');
    expect(told).not.toContain('Lovelace');
  });
});
