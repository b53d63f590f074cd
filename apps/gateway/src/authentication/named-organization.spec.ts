import type { FastifyRequest } from 'fastify';
import { NamedOrganization } from './named-organization.js';

describe('an organization that an operator names', () => {
  const forgotten: string[] = [];
  const organizations = { forget: (organizationId: string) => void forgotten.push(organizationId) };
  const others = { forget: () => undefined } as never;
  const named = new NamedOrganization(others, organizations as never, others, others);
  const answered = (caller: object, endpoint: object, params: object = {}, status = 200) =>
    named.forgetChanged(
      { requestContext: { caller, endpoint: { audit: 'required', ...endpoint }, input: { params } } } as unknown as FastifyRequest,
      status,
    );
  const operator = { kind: 'dispatch' };
  const school = { kind: 'organization', organization: { organizationId: 'org_school' } };
  const dashboard = { kind: 'dashboard', organization: { organizationId: 'org_dashboard' } };

  it('is read again after a change by an operator, and only then', () => {
    answered(operator, { method: 'GET' }, { organizationId: 'org_read' });
    answered(operator, { method: 'POST' });
    answered(school, { method: 'POST', audit: 'none' }, { organizationId: 'org_other' });
    answered(operator, { method: 'PUT' }, { organizationId: 'org_refused' }, 409);
    expect(forgotten).toEqual([]);
    answered(operator, { method: 'PUT' }, { organizationId: 'org_changed' });
    expect(forgotten).toEqual(['org_changed']);
  });

  it('or calls is read again after its dashboard or itself changed it, or who may act for it', () => {
    forgotten.length = 0;
    answered(dashboard, { method: 'GET' });
    answered(school, { method: 'GET' });
    expect(forgotten).toEqual([]);
    answered(dashboard, { method: 'PATCH' });
    answered(school, { method: 'DELETE' });
    expect(forgotten).toEqual(['org_dashboard', 'org_school']);
  });
});
