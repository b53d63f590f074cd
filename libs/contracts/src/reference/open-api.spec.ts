import { getHealth } from '../health/health.js';
import type { EndpointContract } from '../kernel/http.js';
import { openApi } from './open-api.js';

interface Operation {
  responses: Record<string, { description?: string; content: Record<string, { schema: object }> }>;
}

function operationOf(endpoint: EndpointContract): Operation {
  const { paths } = openApi([endpoint], { version: '1.0.0', audience: 'public' });
  return paths[endpoint.path]?.[endpoint.method.toLowerCase()] as Operation;
}

describe('the reference', () => {
  it('says that the health of a system that is down is a success in its envelope, at a 503', () => {
    const { responses } = operationOf(getHealth);
    expect(responses['503']?.description).toContain('unhealthy');
    expect(responses['503']?.content).toEqual({ 'application/json': { schema: responses['200']?.content['application/json']?.schema } });
  });
});
