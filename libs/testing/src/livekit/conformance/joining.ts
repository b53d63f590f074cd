/// <reference types="jest" />
import type { ConformanceFixture, TokenOptions } from './fixture.js';
import { kind } from './fixture.js';

export function describeJoining(fixture: ConformanceFixture): void {
  describe('joining', () => {
    const refused = async (room: string, identity: string, options?: TokenOptions): Promise<unknown> =>
      fixture.join(room, identity, options).then(
        () => 'joined',
        (error: unknown) => (error as { status?: number }).status,
      );

    it('is refused for a room that was not created', async () => {
      expect(await refused(fixture.newName(), 'a')).toBe(404);
    });

    it('is refused with a wrong signature', async () => {
      expect(await refused(await fixture.newRoom(), 'a', { secret: 'another-secret-of-32-characters-or-more' })).toBe(401);
    });

    it('is refused once a token is expired by more than a minute, not before', async () => {
      const room = await fixture.newRoom();
      expect(await refused(room, 'a', { ttlSeconds: -90 })).toBe(401);
      const late = await fixture.join(room, 'a', { ttlSeconds: -30 });
      await late.leave();
    });

    it('is refused without the grant', async () => {
      expect(await refused(await fixture.newRoom(), 'a', { grant: { roomJoin: false } })).toBe(401);
    });

    it('is refused when the room is full, except to a recorder; a refusal sends no webhook', async () => {
      const room = await fixture.newRoom({ maxParticipants: 1 });
      const first = await fixture.join(room, 'first');
      expect(await refused(room, 'second')).toBe(500);
      const recorder = await fixture.join(room, 'EG_recorder', { kind: 'egress', grant: { hidden: true, recorder: true } });
      expect(fixture.inbox.of(room).map(({ event, participant }) => [event, participant?.identity])).toEqual([
        ['room_started', undefined],
        ['participant_joined', 'first'],
        ['participant_joined', 'EG_recorder'],
      ]);
      await Promise.all([first.leave(), recorder.leave()]);
    });

    it('shows a recorder as hidden and of kind EGRESS in webhook and list', async () => {
      const room = await fixture.newRoom();
      const grant = { hidden: true, recorder: true, canPublish: false };
      const recorder = await fixture.join(room, 'EG_1', { kind: 'egress', grant });
      const { participant } = await fixture.joinedOf(room, recorder.sid);
      const [listed] = await fixture.api.listParticipants(room);
      for (const seen of [participant, listed]) {
        expect(seen).toMatchObject({ sid: recorder.sid, identity: 'EG_1', kind: kind.egress });
        expect(seen?.permission).toMatchObject({ hidden: true, recorder: true, canPublish: false, canPublishData: false });
      }
      await recorder.leave();
    });
  });
}
