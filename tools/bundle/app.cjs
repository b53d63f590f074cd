'use strict';

/*
 * Becomes `dist/app.js` of each app. Runs `bundle.js`, whose functions the build has compiled into `bundle.cache` as far as an app needs them to
 * load. V8 copies them out of that file, so its content can be freed. Node's own compile cache keeps it, and is empty at the first start.
 */
const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');

const filename = path.join(__dirname, 'bundle.js');
const source = fs.readFileSync(filename, 'latin1');

/** The compiled code ends with the first line of its bundle: V8 would also accept the code of another bundle of the same length. */
function readCompiled() {
  try {
    const compiled = fs.readFileSync(path.join(__dirname, 'bundle.cache'));
    const line = source.slice(0, source.indexOf('\n'));
    return compiled.subarray(-line.length).toString('latin1') === line ? compiled.subarray(0, -line.length) : undefined;
  } catch {
    return undefined;
  }
}

const script = new vm.Script(source, { filename, cachedData: readCompiled() });
// For tools/bundle/write.ts, which stores the compiled code.
module.exports = script;
script.runInThisContext()(exports, require, module, __filename, __dirname);
