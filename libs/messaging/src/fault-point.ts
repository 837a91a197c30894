const HANDLER = Symbol.for('fundrail.faultPoint');

type FaultHandler = (name: string) => Promise<void> | void;

/**
 * A named place where a crash test may stop the process. Does nothing unless a test put a handler on `globalThis` before
 * the start (libs/testing). Names say what has just happened: `outbox.published`, `inbox.handled`.
 */
export async function faultPoint(name: string): Promise<void> {
  const handler = Reflect.get(globalThis, HANDLER) as FaultHandler | undefined;
  if (handler) await handler(name);
}
