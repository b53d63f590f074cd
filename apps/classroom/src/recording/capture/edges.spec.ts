import { spreadOf } from './edges.js';

it.each([
  ['rgb(1, 2, 3) 0px 0px 0px 3px', { color: 'rgb(1, 2, 3)', width: 3, isInset: false }],
  ['color(srgb 0.1 0.2 0.3) 0px 0px 0px 2.5px inset', { color: 'color(srgb 0.1 0.2 0.3)', width: 2.5, isInset: true }],
  ['none', undefined],
  ['rgb(0, 0, 0) 0px 8px 32px 0px', undefined],
  ['rgb(0, 0, 0) 0px 0px 0px 0px', undefined],
])('reads the ring of the shadow %s', (shadow, ring) => expect(spreadOf(shadow)).toEqual(ring));
