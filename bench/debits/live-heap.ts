import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

const CONNECT_LIMIT_MS = 10_000;
const BYTES_PER_MB = 1_048_576;

/** The memory of a process after a full garbage collection, in MB: objects on V8's heap, and buffers outside of it. */
export interface LiveMemory {
  readonly heap: number;
  readonly outside: number;
}

/** `NODE_OPTIONS` for a process whose live heap can be read at this port. */
export function inspectable(port: number): string {
  return `--inspect=127.0.0.1:${port} --inspect-publish-uid=http`;
}

/**
 * The live memory of the process at this inspector's port, without garbage. Resident memory does not show that: V8 delays garbage
 * collection and returns pages late.
 */
export async function liveMemory(port: number): Promise<LiveMemory> {
  const socket = new WebSocket(await addressOf(port));
  await once(socket, 'open');
  try {
    // The second collection frees what finalizers of the first released.
    await ask(socket, 1, 'HeapProfiler.collectGarbage');
    await ask(socket, 2, 'HeapProfiler.collectGarbage');
    const expression = '(({ heapUsed, external }) => `${heapUsed} ${external}`)(process.memoryUsage())';
    const answer = await ask(socket, 3, 'Runtime.evaluate', { expression });
    const [heap = 0, outside = 0] = (answer.result.result?.value ?? '').split(' ').map(Number);
    return { heap: heap / BYTES_PER_MB, outside: outside / BYTES_PER_MB };
  } finally {
    socket.close();
  }
}

interface InspectorAnswer {
  readonly id: number;
  readonly result: { readonly result?: { readonly value?: string } };
}

async function ask(
  socket: WebSocket,
  id: number,
  method: string,
  params: object = {},
): Promise<InspectorAnswer> {
  const { promise, resolve } = Promise.withResolvers<InspectorAnswer>();
  const listen = ({ data }: MessageEvent) => {
    const answer = JSON.parse(String(data)) as InspectorAnswer;
    if (answer.id === id) resolve(answer);
  };
  socket.addEventListener('message', listen);
  socket.send(JSON.stringify({ id, method, params }));
  const answer = await promise;
  socket.removeEventListener('message', listen);
  return answer;
}

async function addressOf(port: number): Promise<string> {
  const end = performance.now() + CONNECT_LIMIT_MS;
  while (performance.now() < end) {
    const found = await fetch(`http://127.0.0.1:${port}/json/list`).catch(() => null);
    const [target] = found ? ((await found.json()) as { webSocketDebuggerUrl: string }[]) : [];
    if (target) return target.webSocketDebuggerUrl;
    await pause(50);
  }
  throw new Error(`no inspector answers at port ${port}`);
}
