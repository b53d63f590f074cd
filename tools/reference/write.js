'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { documents, textOf } = require('./documents');

for (const { file, document } of documents(require('../../libs/contracts/dist/index.js'))) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, textOf(document));
  process.stdout.write(`${path.relative(process.cwd(), file)}: ${Object.keys(document.paths).length} paths\n`);
}
