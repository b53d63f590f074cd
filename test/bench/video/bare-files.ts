// Only serves the files of a folder over HTTP: node:http and a stream.
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';

const folder = process.argv[2] ?? '.';
const server = http.createServer((request, response) => {
  const file = path.join(folder, path.basename(request.url ?? ''));
  const { size } = fs.statSync(file);
  response.writeHead(200, { 'content-length': size, 'content-type': 'video/mp4' });
  fs.createReadStream(file).pipe(response);
});
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
process.on('disconnect', () => process.exit(0));
