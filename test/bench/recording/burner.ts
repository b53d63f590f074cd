// A process of run.ts that uses one core as much as it can.
process.once('disconnect', () => process.exit(0));
const burn = () => {
  const until = performance.now() + 50;
  while (performance.now() < until);
  setImmediate(burn);
};
burn();
