import { operators } from './operators-setting.js';

const [ONE, OTHER] = ['a'.repeat(64), 'b'.repeat(64)];

describe('OPERATORS', () => {
  it('gives each operator a name, a hash and a role', () => {
    expect(operators.parse(`ada:${ONE}, grace@ops.example:${OTHER.toUpperCase()}:read,`)).toEqual([
      { name: 'ada', hash: ONE, role: 'admin' },
      { name: 'grace@ops.example', hash: OTHER, role: 'read' },
    ]);
    expect(operators.parse(undefined)).toEqual([]);
  });

  it('gives an operator a last day, with or without a role', () => {
    const day = { until: Date.UTC(2027, 2, 1) };
    expect(operators.parse(`ada:${ONE}:2027-02-28,grace:${OTHER}:read:2027-02-28`)).toEqual([
      { name: 'ada', hash: ONE, role: 'admin', ...day },
      { name: 'grace', hash: OTHER, role: 'read', ...day },
    ]);
  });

  it.each([
    ['a secret instead of its hash', 'ada:my-secret-value'],
    ['another role', `ada:${ONE}:owner`],
    ['a day that does not exist', `ada:${ONE}:read:2027-13-01`],
    ['a time instead of a day', `ada:${ONE}:read:2027-01-01T00:00`],
    ['no name', `:${ONE}`],
    ['a name twice', `ada:${ONE},Ada:${OTHER}`],
    ['a hash twice', `ada:${ONE},grace:${ONE}`],
    ['the name of the shared secret', `dispatch:${ONE}`],
  ])('is refused with %s, and the message contains no value', (_, value) => {
    const { error } = operators.safeParse(value);
    expect(error?.issues.length).toBeGreaterThan(0);
    expect(error?.message).not.toContain('my-secret-value');
    expect(error?.message).not.toContain(ONE);
  });
});
