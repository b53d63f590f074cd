/// <reference types="jest" />
import { parseHostMessage } from './commands.js';

const ours = { source: 'virtual-classroom', version: 1 };
const read = (message: object) => parseHostMessage({ ...ours, ...message });

describe('a message of the embedding page', () => {
  it.each([
    ['leave', {}],
    ['set_microphone', { enabled: true }],
    ['set_camera', { enabled: false }],
    ['start_screen_share', {}],
    ['raise_hand', { raised: true }],
    ['set_layout', { layout: 'speaker' }],
  ])('may be %s', (command, args) => {
    expect(read({ command, args, id: '1' })).toEqual({ id: '1', command: [command, args] });
  });

  it('may omit arguments that a command does not have, and extra arguments are dropped', () => {
    expect(read({ command: 'leave', id: '1' })).toEqual({ id: '1', command: ['leave', {}] });
    expect(read({ command: 'leave', id: '1', args: { all: true } })).toEqual({ id: '1', command: ['leave', {}] });
  });

  it('may be hello, which has no id', () => {
    expect(read({ command: 'hello' })).toEqual({ hello: true });
  });

  it.each([
    [{ command: 'set_microphone', args: { enabled: 'yes' } }, 'args.enabled must be a boolean'],
    [{ command: 'set_microphone', args: {} }, 'args.enabled must be a boolean'],
    [{ command: 'set_camera' }, 'args.enabled must be a boolean'],
    [{ command: 'raise_hand', args: { raised: 1 } }, 'args.raised must be a boolean'],
    [{ command: 'set_layout', args: { layout: 'mosaic' } }, `args.layout must be 'grid' or 'speaker'`],
    [{ command: 'set_layout', args: 'grid' }, 'args must be an object'],
    [{ command: 'set_layout', args: ['grid'] }, 'args must be an object'],
    [{ command: 'end_class' }, 'unknown command'],
    [{ command: 'constructor' }, 'unknown command'],
    [{ command: { nested: 'leave' } }, 'unknown command'],
    [{}, 'unknown command'],
  ])('is refused with a message: %j', (message, error) => {
    expect(read({ id: '1', ...message })).toEqual({ id: '1', error });
  });

  it.each([[undefined], [''], ['x'.repeat(129)], [1], [{}]])('is ignored with the id %j, which no answer could name', (id) => {
    expect(read({ command: 'leave', args: {}, id })).toBeUndefined();
  });

  it.each([
    [null],
    ['leave'],
    [['leave']],
    [{ command: 'leave', id: '1' }],
    [{ ...ours, source: 'other', command: 'hello' }],
    [{ ...ours, version: 2, command: 'hello' }],
    [{ ...ours, version: '1', command: 'hello' }],
  ])('is ignored if it is not for us: %j', (message) => {
    expect(parseHostMessage(message)).toBeUndefined();
  });
});
