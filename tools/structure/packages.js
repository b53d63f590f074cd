'use strict';
const { existsSync, readdirSync } = require('node:fs');
const { join } = require('node:path');

const ROOT = join(__dirname, '..', '..');

/** @returns {{ name: string, src: string }[]} every app and library of the repository */
const packages = () =>
  ['apps', 'libs'].flatMap((group) =>
    readdirSync(join(ROOT, group))
      .map((name) => ({ name: `${group}/${name}`, src: join(ROOT, group, name, 'src') }))
      .filter(({ src }) => existsSync(src)),
  );

module.exports = { packages, ROOT };
