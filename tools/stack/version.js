'use strict';

/** @param {string} text @returns {number[] | undefined} the first dotted number in it, such as [18, 4] */
function parse(text) {
  const found = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(text);
  return found ? found.slice(1).filter((part) => part !== undefined).map(Number) : undefined;
}

/** @param {string} a @param {string} b negative when a is older */
function compare(a, b) {
  const [x, y] = [parse(a) ?? [], parse(b) ?? []];
  for (let i = 0; i < 3; i += 1) {
    if ((x[i] ?? 0) !== (y[i] ?? 0)) return (x[i] ?? 0) - (y[i] ?? 0);
  }
  return 0;
}

/** @param {string} version @param {{ min: string, below: string }} range */
function isWithin(version, { min, below }) {
  return parse(version) !== undefined && compare(version, min) >= 0 && compare(version, below) < 0;
}

module.exports = { parse, compare, isWithin };
