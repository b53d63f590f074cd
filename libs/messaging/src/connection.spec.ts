import { natsAddress } from './connection.js';

it.each([
  ['nats://a.example:4222', { servers: ['nats://a.example:4222'] }],
  ['a.example:4222,b.example:4222', { servers: ['a.example:4222', 'b.example:4222'] }],
  ['nats://joe:p%40ss@a.example:4222', { servers: ['nats://a.example:4222'], user: 'joe', pass: 'p@ss' }],
  [
    'nats://joe:pw@a.example:4222,nats://joe:pw@b.example:4222',
    { servers: ['nats://a.example:4222', 'nats://b.example:4222'], user: 'joe', pass: 'pw' },
  ],
  ['tls://s3cret@a.example', { servers: ['tls://a.example'], token: 's3cret', tls: {} }],
  ['nats://a.example,tls://b.example', { servers: ['nats://a.example', 'tls://b.example'], tls: {} }],
])('reads %j', (url, address) => expect(natsAddress(url)).toEqual(address));
