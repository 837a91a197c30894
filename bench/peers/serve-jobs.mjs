import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

/** Answers once the worker is ready; puts the jobs of each `POST` into the queue by `add`: `{ ids, due_at }`. */
export function serveJobs(add) {
  createServer((request, response) => {
    const added =
      request.method === 'POST' ? json(request).then(({ ids, due_at }) => add(ids, due_at)) : null;
    Promise.resolve(added).then(
      () => response.end('{}'),
      (error) => response.writeHead(500).end(JSON.stringify({ error: String(error) })),
    );
  }).listen(Number(process.env.PORT), '127.0.0.1');
}
