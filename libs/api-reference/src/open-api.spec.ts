import { agentChat, getHealth, setCreditAlerts, startRecording, updateWebhookEndpoint, type EndpointContract } from '@classroom/contracts';
import { openApi } from './open-api.js';

interface Operation {
  requestBody?: { required: boolean; content: Record<string, { schema: object }> };
  responses: Record<string, { description?: string; content: Record<string, { schema: object }> }>;
}

function operationOf(endpoint: EndpointContract): Operation {
  const { paths } = openApi([endpoint], { version: '1.0.0', audience: 'public' });
  return Object.values(paths)[0]?.[endpoint.method.toLowerCase()] as Operation;
}

describe('the reference', () => {
  it('describes the health of an unhealthy system as a success envelope with a 503', () => {
    const { responses } = operationOf(getHealth);
    expect(responses['503']?.description).toContain('unhealthy');
    expect(responses['503']?.content).toEqual({ 'application/json': { schema: responses['200']?.content['application/json']?.schema } });
  });

  it('accepts null in the optional fields of a body, where it counts as absent', () => {
    const schema = operationOf(updateWebhookEndpoint).requestBody?.content['application/json']?.schema;
    expect(schema).toMatchObject({
      properties: {
        description: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        isEnabled: { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
      },
    });
    expect(schema).toMatchObject({
      anyOf: expect.arrayContaining([{ required: ['isEnabled'], properties: { isEnabled: { not: { type: 'null' } } } }]) as unknown,
    });
  });

  it('requires a body where a call without one is refused, also if each of its fields is optional', () => {
    expect([setCreditAlerts, startRecording].map((endpoint) => operationOf(endpoint).requestBody?.required)).toEqual([true, false]);
  });

  it('does not accept null for a field that another field requires', () => {
    const schema = operationOf(agentChat).requestBody?.content['application/json']?.schema;
    const given = (name: string) => ({ required: [name], properties: { [name]: { not: { type: 'null' } } } });
    expect(schema).toMatchObject({ allOf: [{ anyOf: [{ not: given('image') }, given('imageMimeType')] }] });
  });
});
