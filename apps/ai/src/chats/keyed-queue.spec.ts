import { Lanes } from './lanes.js';

const never = new AbortController().signal;
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('lanes', () => {
  it('run one turn at a time, in the order in which places were taken', async () => {
    const lanes = new Lanes();
    const entered: number[] = [];
    const places = [0, 1, 2, 3].map(() => lanes.take('a'));
    // Turns run in the order of `take`, even if their `turn` calls come in another order.
    const turns = places.map(async (place, number) => {
      await settled();
      await place.turn(1_000, never);
      entered.push(number);
    });
    await turns[0];
    await settled();
    expect(entered).toEqual([0]);
    for (const [number, place] of places.entries()) {
      await turns[number];
      place.leave();
    }
    expect(entered).toEqual([0, 1, 2, 3]);
    expect(lanes.size).toBe(0);
  });

  it('do not wait for each other', async () => {
    const lanes = new Lanes();
    lanes.take('a');
    await expect(lanes.take('b').turn(1_000, never)).resolves.toBeUndefined();
  });

  it('reject a turn with CHAT_BUSY after its timeout, and skip it', async () => {
    const lanes = new Lanes();
    const first = lanes.take('a');
    const impatient = lanes.take('a');
    const next = lanes.take('a');
    await expect(impatient.turn(10, never)).rejects.toMatchObject({ code: 'CHAT_BUSY' });
    impatient.leave();
    first.leave();
    await next.turn(1_000, never);
    next.leave();
    expect(lanes.size).toBe(0);
  });

  it('drop a waiting turn as soon as its caller disconnects', async () => {
    const lanes = new Lanes();
    const first = lanes.take('a');
    const caller = new AbortController();
    const gone = lanes.take('a');
    const waiting = gone.turn(1_000, caller.signal);
    caller.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    await expect(gone.turn(1_000, caller.signal)).rejects.toThrow('gone');
    gone.leave();
    const next = lanes.take('a');
    first.leave();
    // Leaving twice does not let a second turn in.
    const after = lanes.take('a');
    first.leave();
    await next.turn(1_000, never);
    await expect(after.turn(10, never)).rejects.toMatchObject({ code: 'CHAT_BUSY' });
  });
});
