'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { files } = require('./documents');

for (const { file, text } of files(require('../../libs/contracts/dist/index.js'))) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
  process.stdout.write(`${path.relative(process.cwd(), file)}\n`);
}
