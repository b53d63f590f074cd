import { Lanes } from './lanes.js';

describe('lanes of a consumer', () => {
  const of = (...keys: string[]) => {
    const lanes = new Lanes<number>();
    keys.forEach((key, item) => lanes.add({ key, item, size: 10 }));
    return lanes;
  };

  it('keep the order of a key, and one of its messages in progress', () => {
    const lanes = of('a', 'a');
    expect(lanes.take()).toMatchObject({ key: 'a', item: 0 });
    expect(lanes.take()).toBeUndefined();
    lanes.release('a');
    expect(lanes.take()).toMatchObject({ key: 'a', item: 1 });
  });

  it('let keys take turns, however many messages of one are waiting', () => {
    const lanes = of('a', 'a', 'a', 'b', 'c');
    const order: string[] = [];
    for (let next = lanes.take(); next; next = lanes.take()) {
      order.push(next.key);
      lanes.release(next.key);
    }
    expect(order).toEqual(['a', 'b', 'c', 'a', 'a']);
  });

  it('count the waiting messages and bytes, and hand all of them back', () => {
    const lanes = of('a', 'a', 'b');
    lanes.take();
    expect([lanes.count, lanes.bytes, lanes.active]).toEqual([2, 20, 1]);
    expect(lanes.clear().sort()).toEqual([1, 2]);
    expect([lanes.count, lanes.bytes, lanes.active]).toEqual([0, 0, 1]);
  });
});
