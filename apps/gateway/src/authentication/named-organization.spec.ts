import type { FastifyRequest } from 'fastify';
import { NamedOrganization } from './named-organization.js';

describe('an organization that an operator names', () => {
  const forgotten: string[] = [];
  const organizations = { forget: (organizationId: string) => void forgotten.push(organizationId) };
  const named = new NamedOrganization(undefined as never, organizations as never);
  const answered = (kind: string, method: string, params: object) =>
    named.forgetChanged({ requestContext: { caller: { kind }, endpoint: { method }, input: { params } } } as unknown as FastifyRequest);

  it('is read again after a change by an operator, and only then', () => {
    answered('dispatch', 'GET', { organizationId: 'org_read' });
    answered('dispatch', 'POST', {});
    answered('organization', 'POST', { organizationId: 'org_other' });
    expect(forgotten).toEqual([]);
    answered('dispatch', 'PUT', { organizationId: 'org_changed' });
    expect(forgotten).toEqual(['org_changed']);
  });
});
