import { matches, translate } from './policies.ts';

const pod = (name: string, podIP: string, labels: Record<string, string>, hostNetwork = false) => ({
  metadata: { name, namespace: 'school', labels },
  spec: { hostNetwork },
  status: { podIP },
});
const GATEWAY = pod('gateway', '10.0.0.1', { app: 'gateway' });
const ROOM = pod('room', '10.0.0.2', { app: 'room' });
const namespaces = new Map([['school', { name: 'school' }]]);

const policy = (spec: object) => ({
  metadata: { name: 'policy', namespace: 'school' },
  spec: { podSelector: { matchLabels: { app: 'gateway' } }, ...spec },
});
/** The lines of a chain. */
const chain = (rules: string, name: string) => rules.split(`chain ${name} {\n`)[1]?.split('\n}')[0]?.split('\n');

describe('the translation of NetworkPolicies', () => {
  it('lets connections through that a policy names, and drops all others of the pods that it selects', () => {
    const rules = translate({
      policies: [
        policy({
          policyTypes: ['Ingress'],
          ingress: [{ from: [{ podSelector: { matchLabels: { app: 'room' } } }], ports: [{ port: 80 }] }],
        }),
      ],
      pods: [GATEWAY, ROOM],
      namespaces,
    });
    expect(chain(rules, 'ingress-school-gateway')).toEqual(['ip saddr { 10.0.0.2 } tcp dport 80 return', 'drop']);
    expect(rules).toContain('ip daddr 10.0.0.1 jump ingress-school-gateway');
    expect(rules).not.toContain('10.0.0.2 jump');
  });

  it('knows networks with exceptions, ranges of ports, and UDP', () => {
    const to = [{ ipBlock: { cidr: '0.0.0.0/0', except: ['10.0.0.0/8', 'fc00::/7'] } }, { ipBlock: { cidr: '::/0' } }];
    const egress = [{ to, ports: [{ port: 443 }, { protocol: 'UDP', port: 50_000, endPort: 60_000 }] }];
    const rules = translate({ policies: [policy({ policyTypes: ['Egress'], egress })], pods: [GATEWAY], namespaces });
    expect(chain(rules, 'egress-school-gateway')).toEqual([
      'ip daddr 0.0.0.0/0 ip daddr != { 10.0.0.0/8 } tcp dport 443 return',
      'ip daddr 0.0.0.0/0 ip daddr != { 10.0.0.0/8 } udp dport 50000-60000 return',
      'drop',
    ]);
  });

  it('allows nothing to a peer without an address, and everything to a rule without peers', () => {
    const egress = [{ to: [{ podSelector: { matchLabels: { app: 'absent' } } }] }, { ports: [{ port: 53 }] }];
    const rules = translate({ policies: [policy({ policyTypes: ['Egress'], egress })], pods: [GATEWAY], namespaces });
    expect(chain(rules, 'egress-school-gateway')).toEqual(['tcp dport 53 return', 'drop']);
  });

  test.each([
    [{ matchExpressions: [{ key: 'app', operator: 'In', values: ['room', 'gateway'] }] }, true],
    [{ matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['gateway'] }] }, false],
    [{ matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['web'] }] }, true],
    [
      {
        matchExpressions: [
          { key: 'app', operator: 'Exists' },
          { key: 'tier', operator: 'DoesNotExist' },
        ],
      },
      true,
    ],
    [{ matchLabels: { app: 'gateway', tier: 'web' } }, false],
    [{}, true],
  ])('matches labels by %j: %s', (selector, isMatching) => expect(matches(selector, { app: 'gateway' })).toBe(isMatching));
});
