'use strict';

// Before any newer syntax is loaded: an old Node must say this line, not a syntax error.
if (Number(process.versions.node.split('.')[0]) < 20) {
  process.stderr.write('Node ' + process.versions.node + ' is too old to start with: install Node 20 or newer.\n');
  process.exit(1);
}

require('./commands').main(process.argv.slice(2));
