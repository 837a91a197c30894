// Only this file may be loaded before the version is checked: the rest needs Node 24.
const OLDEST_NODE = 24;

if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
  console.error(
    `fundrail needs Node ${OLDEST_NODE} or later, and this is ${process.versions.node}: start it with npm start, which brings its own`,
  );
  process.exitCode = 1;
} else {
  const { run } = await import('./run.ts');
  await run(process.env);
}
