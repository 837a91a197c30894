// The health check of the images, which have no curl: `node docker/health.mjs live` or `… ready` asks the service in this
// container on OPS_PORT, or on PORT where health has no port of its own. Exits 0 when it answers 200.
const port = process.env.OPS_PORT || process.env.PORT;
const answer = await fetch(`http://127.0.0.1:${port}/health/${process.argv[2]}`, {
  signal: AbortSignal.timeout(2_000),
}).catch(() => null);
process.exit(answer?.ok ? 0 : 1);
