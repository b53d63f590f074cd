import { describeError } from './logger.js';

describe('describeError', () => {
  it('describes the failure without personal data', () => {
    const driver = Object.assign(new Error('duplicate key value'), {
      code: '23505',
      detail: 'Key (organization_id)=(org_secret) already exists',
      parameters: ['org_secret', 'Ada Lovelace'],
    });
    const description = JSON.stringify(describeError(new Error('could not save', { cause: driver })));
    expect(description).toContain('could not save');
    expect(description).toContain('23505');
    expect(description).not.toContain('org_secret');
    expect(description).not.toContain('Lovelace');
  });
});
