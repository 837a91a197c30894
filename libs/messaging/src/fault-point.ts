const HANDLER = Symbol.for('fundrail.faultPoint');

/** Every place of this library at which a crash test may stop the process. A name says what has just happened. */
export type MessagingFaultPoint = 'outbox.published' | 'inbox.handled' | 'inbox.committed';

type FaultHandler = (name: string) => Promise<void> | void;

/**
 * A named place where a crash test may stop the process. Does nothing unless a test put a handler on `globalThis` before
 * the start (libs/testing).
 */
export async function faultPoint(name: MessagingFaultPoint): Promise<void> {
  const handler = Reflect.get(globalThis, HANDLER) as FaultHandler | undefined;
  if (handler) await handler(name);
}
