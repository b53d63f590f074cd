// A process of run.ts: takes all it can get of one core.
process.once('disconnect', () => process.exit(0));
const burn = () => {
  const until = performance.now() + 50;
  while (performance.now() < until);
  setImmediate(burn);
};
burn();
