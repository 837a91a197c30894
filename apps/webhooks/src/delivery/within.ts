/**
 * Runs with a signal that is given after so many milliseconds, as `AbortSignal.timeout` does it, or with `stop`. Of thousands a
 * second, each of Node's own lived on for its 15 s and then made its error for nobody (bench/README.md, "webhooks").
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
