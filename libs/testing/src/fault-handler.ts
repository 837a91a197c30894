const HANDLER = Symbol.for('fundrail.faultPoint');

/** Holds the next call that reaches the fault point. Later calls pass. */
export function setFaultHandler(name: string): {
  readonly reached: Promise<void>;
  readonly resume: () => void;
  /** Continues with an error, as when something breaks at this point. */
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
