import { peerOf } from './client-call.js';

it.each([
  ['http://storage:9000', 'storage', 9000],
  ['wss://media.example/rtc?access_token=secret', 'media.example', 443],
  ['https://user:password@models.example/v1', 'models.example', 443],
  ['postgresql://role:password@db.example/classroom', 'db.example', 5432],
  ['127.0.0.1:4222', '127.0.0.1', 4222],
  ['[::1]:4222', '[::1]', 4222],
])('%s', (address, host, port) => {
  expect(peerOf(address)).toEqual({ 'server.address': host, 'server.port': port });
});
