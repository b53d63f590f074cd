import { randomUUID } from 'node:crypto';
import type { ApiClient } from '@classroom/testing';

export const AGENT = ['/v1/ai-agent/chat', '/v1/ai-agent/chat/stream'] as const;

export const body = (more: object = {}) => ({ chatId: randomUUID(), message: 'Hello', responseType: 'text', ...more });

/** Expects that both endpoints of the agent refuse the question. @param path the field that the answer names */
export const refused = async (api: ApiClient, sent: unknown, status: number, error: string, path?: string) => {
  const check = async (address: string) => {
    const answer = await api.call({ method: 'POST', path: address, ...(typeof sent === 'string' ? { raw: sent } : { body: sent }) });
    expect([answer.status, answer.body]).toMatchObject([
      status,
      { success: false, error, message: expect.any(String), requestId: expect.any(String) },
    ]);
    if (path !== undefined) expect(answer.body.details).toMatchObject([{ path, message: expect.any(String) }]);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  };
  await Promise.all(AGENT.map(check));
};
