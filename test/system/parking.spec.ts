import { RoomServiceClient } from 'livekit-server-sdk';
import { eventually, newOrganization, newRoom, person, RtcParticipant, TestStack, type ApiClient } from '@classroom/testing';

/** A room whose tokens expired unused is removed from LiveKit, and created again when a participant joins after all. */
describe('an unused room', () => {
  let stack: TestStack;
  let api: ApiClient;
  let livekit: RoomServiceClient;

  beforeAll(async () => {
    stack = await TestStack.start({ env: { room: { JOIN_TOKEN_TTL_SECONDS: '2', PARK_AFTER_SECONDS: '1' } } });
    ({ api } = await newOrganization(stack));
    livekit = new RoomServiceClient(stack.urls.livekit, stack.secrets['livekitApiKey'], stack.secrets['livekitApiSecret']);
  }, 120_000);

  afterAll(async () => {
    await RtcParticipant.disposeAll();
    await stack?.stop();
  }, 60_000);

  const isInLiveKit = async (sid: string) => (await livekit.listRooms([sid])).length === 1;

  it('is parked, and created again by the next join', async () => {
    const { roomId, sid } = await newRoom(api);
    expect(await isInLiveKit(sid)).toBe(true);
    await eventually(async () => expect(await isInLiveKit(sid)).toBe(false), 15_000);
    expect((await api.get(`/v1/room/${roomId}/status`)).body.data).toMatchObject({ exists: true, isActive: false });
    // It stays parked: the reconciler of LiveKit's rooms does not create it again.
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expect(await isInLiveKit(sid)).toBe(false);

    const { body } = await api.post(`/v1/room/${roomId}/join`, { participant: person('late') });
    const late = await RtcParticipant.connect(stack.urls.livekitPublic, body.data.token);
    await eventually(async () => {
      expect((await api.get(`/v1/room/${roomId}/status`)).body.data).toMatchObject({ isActive: true, participantCount: 1 });
    });
    await late.leave();
  }, 40_000);

  it('is not parked while a participant is in it', async () => {
    const { sid, token } = await newRoom(api);
    const teacher = await RtcParticipant.connect(stack.urls.livekitPublic, token);
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    expect(await isInLiveKit(sid)).toBe(true);
    expect(teacher.disconnected).toBe(false);
    await teacher.leave();
  }, 60_000);
});
