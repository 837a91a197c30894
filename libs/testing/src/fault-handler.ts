const HANDLER = Symbol.for('fundrail.faultPoint');

/** Holds the next call that passes the fault point. Later ones pass. */
export function setFaultHandler(name: string): {
  readonly reached: Promise<void>;
  readonly resume: () => void;
  /** Goes on with an error, as when something breaks just there. */
  readonly fail: (error: Error) => void;
} {
  const reached = Promise.withResolvers<void>();
  const resumed = Promise.withResolvers<void>();
  Reflect.set(globalThis, HANDLER, (passed: string) => {
    if (passed !== name) return undefined;
    Reflect.deleteProperty(globalThis, HANDLER);
    reached.resolve();
    return resumed.promise;
  });
  return { reached: reached.promise, resume: resumed.resolve, fail: resumed.reject };
}
