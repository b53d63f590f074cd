import type { ApiClient } from './api.js';
import { RtcParticipant } from './rtc.js';
import type { RunningStack } from './running-stack.js';

/** Enters a class as a page does: with a join token, a session and a connection to LiveKit. @returns a client with the participant's token */
export async function enterClass({ urls }: RunningStack, api: ApiClient, roomId: string, participant: object): Promise<ApiClient> {
  const { token } = (await api.post(`/v1/room/${roomId}/join`, { participant })).body.data;
  const session = (await api.bearer(token).post('/v1/classroom/session')).body.data;
  await RtcParticipant.connect(urls.livekitPublic, session.livekitToken);
  return api.bearer(session.classroomToken);
}
