import JestRuntime from 'jest-runtime';
import { createRequire } from 'node:module';
import { isModuleNamespaceObject } from 'node:util/types';
import { compileFunction, SyntheticModule } from 'node:vm';

const require = createRequire(import.meta.url);
/** The packages of the workspaces are links out of `node_modules`, and Jest resolves links. */
const OF_A_PACKAGE = /[\\/]node_modules[\\/]/;

/**
 * Jest's runtime for `WorkerRealmEnvironment`. Our own modules are evaluated for each suite, as ever. Packages from npm are loaded
 * by Node itself, once for all suites of a worker: Nest, TypeORM and Fastify took three quarters of the time of a small suite. What a
 * suite changes in a package (a spy) is taken back by `restoreAllMocks`, which Jest calls at the end of each suite.
 */
export default class SharedPackagesRuntime extends JestRuntime {
  constructor(...given) {
    super(...given);
    const { esmLoader, executor } = this;
    const keep = (load) => this._environment.keepGlobalsOf(load);
    esmLoader.getContext = () => undefined;
    executor.compile = (source, filename) =>
      compileFunction(source, executor.injectedModuleParameters, {
        filename,
        importModuleDynamically: (specifier, _function, attributes) =>
          executor.dynamicImport(specifier, filename, undefined, attributes),
      });

    const resolve = esmLoader.resolveSpecifierForSyncGraph.bind(esmLoader);
    esmLoader.resolveSpecifierForSyncGraph = (...request) => {
      const found = resolve(...request);
      const shared =
        found.enqueue && OF_A_PACKAGE.test(found.modulePath) && exportsOf(found.modulePath, keep);
      if (!shared) return found;
      const [, , , scratch, registry] = request;
      esmLoader.tryCommitSynthetic(found.cacheKey, registry, scratch, () => shared.asModule());
      return { ...found, enqueue: null };
    };
    const build = esmLoader.buildCjsAsEsmSyntheticModule.bind(esmLoader);
    esmLoader.buildCjsAsEsmSyntheticModule = (from, path, context) =>
      OF_A_PACKAGE.test(path) ? exportsOf(path, keep).asModule() : build(from, path, context);
    const isUnmarkedEsm = esmLoader.pendingCjsBuildIsUnmarkedEsm.bind(esmLoader);
    esmLoader.pendingCjsBuildIsUnmarkedEsm = (pending) =>
      !OF_A_PACKAGE.test(pending.modulePath) && isUnmarkedEsm(pending);
    const load = esmLoader.loadEsmModule.bind(esmLoader);
    esmLoader.loadEsmModule = (path, suffix) =>
      (OF_A_PACKAGE.test(path) && exportsOf(path, keep)?.asModule()) || load(path, suffix);
  }

  /** `require` of a spec, through `createRequire`. */
  requireModule(from, name, options, isRequireActual) {
    if (name && !options?.isInternalModule && !this._resolution.isCoreModule(name)) {
      const path = this._resolution.resolveCjs(from, name);
      if (OF_A_PACKAGE.test(path)) return this._environment.keepGlobalsOf(() => require(path));
    }
    return super.requireModule(from, name, options, isRequireActual);
  }

  /** Jest's own would change the worker's `process`, which is the suites' too. */
  installGetBuiltinModule() {}
}

class SharedExports {
  constructor(path, exported) {
    this.path = path;
    // As Node imports it: CommonJS has its `exports` as the default.
    this.entries = isModuleNamespaceObject(exported)
      ? Object.entries(exported)
      : Object.entries({ ...exported, default: exported });
  }

  asModule() {
    const { entries } = this;
    const module = new SyntheticModule(
      entries.map(([name]) => name),
      function () {
        for (const [name, value] of entries) this.setExport(name, value);
      },
      { identifier: this.path },
    );
    module.evaluate();
    return module;
  }
}

const loaded = new Map();

/** What a file of a package exports; undefined when Node cannot load it at once (a top-level `await`), so that Jest has to. */
function exportsOf(path, keepGlobalsOf) {
  if (!loaded.has(path)) loaded.set(path, load(path, keepGlobalsOf));
  return loaded.get(path);
}

function load(path, keepGlobalsOf) {
  try {
    return new SharedExports(
      path,
      keepGlobalsOf(() => require(path)),
    );
  } catch (error) {
    if (error.code === 'ERR_REQUIRE_ASYNC_MODULE') return undefined;
    throw error;
  }
}
