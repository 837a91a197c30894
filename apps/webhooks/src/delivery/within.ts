/**
 * Runs the work with a signal that aborts after `ms` milliseconds, like `AbortSignal.timeout`, or with `stop`. With thousands of calls
 * per second, Node's own signals stayed alive for the full 15 s and then created unused errors (bench/webhooks/README.md).
 */
export async function within<T>(
  ms: number,
  stop: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  stop.throwIfAborted();
  const end = new AbortController();
  const onStop = () => {
    end.abort(stop.reason);
  };
  const timer = setTimeout(() => {
    end.abort(new DOMException('it took too long', 'TimeoutError'));
  }, ms);
  stop.addEventListener('abort', onStop);
  try {
    return await run(end.signal);
  } finally {
    clearTimeout(timer);
    stop.removeEventListener('abort', onStop);
  }
}
