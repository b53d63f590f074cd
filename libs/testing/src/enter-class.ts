import type { ApiClient } from './api.js';
import { RtcParticipant } from './rtc.js';
import type { RunningStack } from './running-stack.js';

/** Enters a class as a page does, with a join token. */
export async function enterWithToken({ urls }: RunningStack, api: ApiClient, token: string) {
  const session = (await api.bearer(token).post('/v1/classroom/session')).body.data;
  const rtc = await RtcParticipant.connect(urls.livekitPublic, session.livekitToken);
  return { session, rtc, inClass: api.bearer(session.classroomToken) };
}

/** Enters a class as a page does: with a join token, a session and a connection to LiveKit. @returns a client with the participant's token */
export async function enterClass(stack: RunningStack, api: ApiClient, roomId: string, participant: object): Promise<ApiClient> {
  const { token } = (await api.post(`/v1/room/${roomId}/join`, { participant })).body.data;
  return (await enterWithToken(stack, api, token)).inClass;
}
