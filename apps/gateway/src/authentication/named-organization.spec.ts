import type { FastifyRequest } from 'fastify';
import { NamedOrganization } from './named-organization.js';

describe('an organization that an operator names', () => {
  const forgotten: string[] = [];
  const organizations = { forget: (organizationId: string) => void forgotten.push(organizationId) };
  const named = new NamedOrganization(undefined as never, organizations as never);
  const answered = (caller: object, endpoint: object, params: object = {}) =>
    named.forgetChanged({ requestContext: { caller, endpoint, input: { params } } } as unknown as FastifyRequest);
  const operator = { kind: 'dispatch' };
  const school = { kind: 'organization', organization: { organizationId: 'org_school' } };
  const dashboard = { kind: 'dashboard', organization: { organizationId: 'org_dashboard' } };

  it('is read again after a change by an operator, and only then', () => {
    answered(operator, { method: 'GET' }, { organizationId: 'org_read' });
    answered(operator, { method: 'POST' });
    answered(school, { method: 'POST' }, { organizationId: 'org_other' });
    expect(forgotten).toEqual([]);
    answered(operator, { method: 'PUT' }, { organizationId: 'org_changed' });
    expect(forgotten).toEqual(['org_changed']);
  });

  it('or calls is read again after its dashboard changed it, or it requested or cancelled its erasure', () => {
    forgotten.length = 0;
    answered(dashboard, { method: 'GET' });
    answered(school, { method: 'GET', isForClosed: true });
    expect(forgotten).toEqual([]);
    answered(dashboard, { method: 'PATCH' });
    answered(school, { method: 'DELETE', isForClosed: true });
    expect(forgotten).toEqual(['org_dashboard', 'org_school']);
  });
});
