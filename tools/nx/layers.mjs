// The layers of the packages: who may import whom. ESLint refuses any other import (`eslint.boundaries.mjs`), and Nx shows a package's
// layer as its tag (`npx nx show projects --projects tag:layer:service`).

/** Each library is a layer of its own. A layer's list names the libraries that its sources may import; specs may import every library. */
const LIBRARIES = {
  contracts: [],
  'state-machines': ['contracts'],
  policies: ['contracts'],
  persistence: ['contracts'],
  messaging: ['contracts', 'state-machines', 'persistence'],
  providers: ['contracts', 'state-machines'],
  'service-kit': ['contracts', 'state-machines', 'policies', 'persistence', 'messaging'],
  testing: ['contracts', 'state-machines', 'persistence', 'messaging', 'providers', 'service-kit'],
};

/** The one app that imports the others, because it runs them in one process. */
const PRODUCT = 'standalone';

/** Tests of the whole product. It may import everything, and nothing imports it. */
const VERIFICATION = 'verification';

/** The layer of a package: a library's own name, `service`, `product` or `verification`. */
export function layerOf(folder) {
  if (folder === VERIFICATION) return VERIFICATION;
  const [kind, name] = folder.split('/').slice(-2);
  if (kind === 'libs') return name;
  return name === PRODUCT ? 'product' : 'service';
}

/** The packages of ours that the sources of a package may import. Only verification's sources import `testing`, which is for specs. */
export function mayImport(folder, { libs, apps }) {
  const layer = layerOf(folder);
  if (layer in LIBRARIES) return LIBRARIES[layer];
  if (layer === VERIFICATION) return [...libs, ...apps];
  const libraries = libs.filter((name) => name !== 'testing');
  return layer === 'product' ? [...libraries, ...apps] : libraries;
}
