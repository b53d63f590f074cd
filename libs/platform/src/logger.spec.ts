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

  it.each([
    ['a value that Postgres refuses', '22P02', 'invalid input syntax for type bigint: "Ada "the first" Lovelace"'],
    ['a time that Postgres refuses', '22008', 'date/time field value out of range: "Lovelace"'],
  ])('leaves out %s', (_, code, text) => {
    const description = JSON.stringify(describeError(new Error('could not save', { cause: Object.assign(new Error(text), { code }) })));
    expect(description).toContain(text.split(':')[0]);
    expect(description).not.toContain('Lovelace');
  });

  it.each(['{"name": Lovelace}', 'Lovelace', `{"name": "Ada", 'Lovelace"`])('leaves out the text that is no JSON: %s', (text) => {
    const failure = (() => {
      try {
        return JSON.parse(text) as unknown;
      } catch (error) {
        return error;
      }
    })();
    const description = JSON.stringify(describeError(failure));
    expect(description).toContain('JSON');
    expect(description).not.toContain('Lovelace');
  });

  it('keeps the names in other messages', () => {
    const missing = Object.assign(new Error('relation "rooms" does not exist'), { code: '42P01' });
    expect(JSON.stringify(describeError(missing))).toContain('rooms');
  });
});
