// Only this file may be loaded before the version is checked: the rest needs Node 24.
const OLDEST_NODE = 24;

if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
  console.error(
    `fundrail needs Node ${OLDEST_NODE} or later, and this is ${process.versions.node}: start it with npm start, which brings its own`,
  );
  process.exitCode = 1;
} else if (process.argv.length > 2) {
  console.error(
    'npm start takes no arguments: its settings are environment variables, see docs/operations/npm-start.md',
  );
  process.exitCode = 2;
} else {
  const { run } = await import('./run.ts');
  await run(process.env);
}
