import { routeOf, unwrap } from './operation.js';

describe('a call', () => {
  it('uses the reference’s path with the given arguments', () => {
    expect(routeOf('removeParticipant', { params: { roomId: 'a:b', uid: 'x/y?z' } })).toEqual({
      method: 'POST',
      path: '/v1/room/a%3Ab/participants/x%2Fy%3Fz/remove',
    });
    expect(routeOf('listRooms', { query: { title: 'Algebra & more', limit: 5, cursor: undefined } })).toEqual({
      method: 'GET',
      path: '/v1/rooms?title=Algebra+%26+more&limit=5',
    });
  });

  it.each(['', '.', '..'])('is not made if a URL parser would resolve %j', (roomId) => {
    expect(() => routeOf('deleteRoom', { params: { roomId } })).toThrow(TypeError);
  });

  it('resolves with the data, or with the body if there is no envelope', () => {
    expect(unwrap({ success: true, message: 'Done', data: [1] })).toEqual([1]);
    expect(unwrap({ success: true, text: 'Hello', usage: 1 })).toEqual({ text: 'Hello', usage: 1 });
  });
});
