const HANDLER = Symbol.for('fundrail.faultPoint');

type FaultHandler = (name: string) => Promise<void> | void;

/**
 * A named place where a crash test may stop the process. Does nothing unless a test has set a handler on `globalThis` before the
 * start (libs/testing). A name states what has just happened: `payments.claimed`, `outbox.published`.
 */
export function faultPoint(name: string): Promise<void> | void {
  const handler = Reflect.get(globalThis, HANDLER) as FaultHandler | undefined;
  return handler?.(name);
}

/** Every place of this library at which a crash test may stop the process. */
export type MessagingFaultPoint = 'outbox.published' | 'inbox.handled' | 'inbox.committed';

/** Passes a fault point of this library. Does nothing unless a test waits there. */
export const passFaultPoint: (name: MessagingFaultPoint) => Promise<void> | void = faultPoint;
