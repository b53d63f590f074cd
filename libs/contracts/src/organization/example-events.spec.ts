import { exampleData } from './example-events.js';
import { PUBLIC_EVENTS, type PublicEventType } from './public-events.js';

describe('the example of an event', () => {
  it.each(Object.keys(PUBLIC_EVENTS) as PublicEventType[])('%s has every field of its contract, and no other', (type) => {
    const data = exampleData(type, new Date('2026-09-01T08:00:00Z'));
    expect(PUBLIC_EVENTS[type].strict().parse(data)).toEqual(data);
  });
});
