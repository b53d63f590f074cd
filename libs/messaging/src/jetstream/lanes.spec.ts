import { Lanes } from './lanes.js';

describe('lanes of a consumer', () => {
  const of = (...keys: string[]) => {
    const lanes = new Lanes<number>();
    keys.forEach((key, item) => lanes.add({ key, item, size: 10 }));
    return lanes;
  };

  const items = (taken: { item: number }[]) => taken.map(({ item }) => item);

  it('keep the order of a key, and its messages in one batch at a time', () => {
    const lanes = of('a', 'a', 'a');
    expect(items(lanes.take(2))).toEqual([0, 1]);
    expect(lanes.take(2)).toEqual([]);
    lanes.release('a');
    expect(items(lanes.take(2))).toEqual([2]);
  });

  it('fill a batch with all free keys in turns, and the rest stays in order', () => {
    const lanes = of('a', 'a', 'a', 'b', 'c', 'b');
    expect(items(lanes.take(4))).toEqual([0, 3, 4, 1]);
    expect([lanes.count, lanes.bytes]).toEqual([2, 20]);
    lanes.release('b');
    expect(items(lanes.take(4))).toEqual([5]);
    lanes.release('a');
    expect(items(lanes.take(4))).toEqual([2]);
  });

  it('let keys take turns, however many messages of one are waiting', () => {
    const lanes = of('a', 'a', 'a', 'b', 'c');
    const order: string[] = [];
    for (let [next] = lanes.take(1); next; [next] = lanes.take(1)) {
      order.push(next.key);
      lanes.release(next.key);
    }
    expect(order).toEqual(['a', 'b', 'c', 'a', 'a']);
  });

  it('count the waiting messages and bytes, and hand all of them back', () => {
    const lanes = of('a', 'a', 'b');
    lanes.take(1);
    expect([lanes.count, lanes.bytes]).toEqual([2, 20]);
    expect(lanes.clear().sort()).toEqual([1, 2]);
    expect([lanes.count, lanes.bytes]).toEqual([0, 0]);
  });
});
