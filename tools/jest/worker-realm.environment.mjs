import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/**
 * Runs suites in the worker's own realm, where Jest's usual environment gives each a new one (`vm.createContext`): there all code
 * is slower, and no package can be shared between suites. After a suite, globals, `process.env` and the listeners of `process` are
 * as they were before it. The modules are the runtime's part (`shared-packages.runtime.mjs`).
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

  /** Globals that a package adds while it loads stay: it is not loaded again. */
  keepGlobalsOf(load) {
    const before = new Set(Reflect.ownKeys(globalThis));
    const loaded = load();
    for (const key of Reflect.ownKeys(globalThis))
      if (!before.has(key)) this.globals[key] = Object.getOwnPropertyDescriptor(globalThis, key);
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
