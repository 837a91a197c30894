// Writes docs/openapi.json, the joined document that the built product serves: `npm run docs:openapi`. It comes from the
// running services, so unlike the other documents it cannot be made from the sources alone; an end-to-end test compares it.
import { writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { startOwn } from '../apps/standalone/dist/index.js';

const file = new URL('../docs/openapi.json', import.meta.url);
const server = await startOwn();
try {
  const document = await (await fetch(`${server.baseUrl}/openapi.json`)).json();
  // The server of the file is the API's server.
  const text = JSON.stringify({ ...document, servers: [{ url: '/' }] });
  writeFileSync(file, await format(text, { ...(await resolveConfig(file)), parser: 'json' }));
} finally {
  await server.stop();
}
