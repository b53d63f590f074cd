import type { ApiClient } from './api.js';
import { eventually } from './eventually.js';
import type { RunningStack } from './running-stack.js';

/** Reports a minute as the page of a connected participant does. */
export async function reportMinute(stack: RunningStack, inClass: ApiClient, { sid, uid }: { sid: string; uid: string }): Promise<void> {
  await eventually(async () => {
    const [connection] = await stack.rows<{ connectionSid: string }>(
      'SELECT connection_sid AS "connectionSid" FROM room.connections_by_month WHERE sid = $1 AND uid = $2',
      [sid, uid],
    );
    const minute = { ...connection, startedAt: new Date().toISOString(), measuredMs: 1_000, talkMs: 1_000, cameraMs: 0 };
    const { status, text } = await inClass.post('/v1/classroom/minutes', { minutes: [minute] });
    if (status !== 200 || !connection) throw new Error(`no minute: ${text}`);
  });
}
