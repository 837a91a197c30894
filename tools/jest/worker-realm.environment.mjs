import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/** What suites assign in a package, by its owner, as it was when the package was loaded: Nest keeps its logger in a static. */
const assigned = new Map();

/**
 * Runs suites in the worker's own realm, where Jest's usual environment gives each a new one (`vm.createContext`): there all code
 * is slower, and no package can be shared between suites. After a suite, globals, `process.env`, the listeners of `process` and
 * Nest's logger are as they were before it. The modules are the runtime's part (`shared-packages.runtime.mjs`).
 */
export default class WorkerRealmEnvironment {
  global = globalThis;
  fakeTimers = null;
  moduleMocker = new ModuleMocker(globalThis);

  constructor({ projectConfig }) {
    this.conditions = projectConfig.testEnvironmentOptions.customExportConditions;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.globals = Object.getOwnPropertyDescriptors(globalThis);
    this.variables = { ...process.env };
    this.exit = process.exit;
    this.listeners = listenersOfProcess();
  }

  /** Globals and listeners that a package adds while it loads stay: it is not loaded again. */
  keepGlobalsOf(load) {
    const before = new Set(Reflect.ownKeys(globalThis));
    const listenersBefore = listenersOfProcess();
    const loaded = load();
    for (const key of Reflect.ownKeys(globalThis))
      if (!before.has(key)) this.globals[key] = Object.getOwnPropertyDescriptor(globalThis, key);
    for (const [event, listeners] of listenersOfProcess()) {
      const added = listeners.filter((listener) => !listenersBefore.get(event)?.includes(listener));
      if (added.length > 0) this.listeners.set(event, [...(this.listeners.get(event) ?? []), ...added]);
    }
    const { Logger } = loaded ?? {};
    if (Logger?.overrideLogger && !assigned.has(Logger)) {
      const { staticInstanceRef, logLevels } = Logger;
      assigned.set(Logger, { staticInstanceRef, logLevels });
    }
    return loaded;
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    for (const key of Reflect.ownKeys(globalThis)) {
      const before = this.globals[key];
      // A built-in that Node loads at its first use turns from an accessor into a value; both are the same object.
      if (!before) Reflect.deleteProperty(globalThis, key);
      else if ('value' in before && globalThis[key] !== before.value)
        Object.defineProperty(globalThis, key, before);
    }
    for (const name of Object.keys(process.env)) if (!(name in this.variables)) delete process.env[name];
    Object.assign(process.env, this.variables);
    process.exit = this.exit;
    for (const [event, listeners] of listenersOfProcess())
      for (const listener of listeners)
        if (!this.listeners.get(event)?.includes(listener)) process.removeListener(event, listener);
    for (const [owner, values] of assigned) Object.assign(owner, values);
  }

  exportConditions() {
    return this.conditions;
  }

  getVmContext() {
    return globalThis;
  }
}

function listenersOfProcess() {
  return new Map(process.eventNames().map((event) => [event, process.rawListeners(event)]));
}
