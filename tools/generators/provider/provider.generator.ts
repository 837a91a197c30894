import { formatFiles, generateFiles, names, type Tree } from '@nx/devkit';
import { insertAfter, insertBefore, replaceInBlock, replaceOnce, textOf } from '../tree-edits.ts';

interface Options {
  readonly name: string;
}

const PROVIDERS = 'libs/providers/src';
/** The provider of docs/adding-a-provider.md, which the tests keep passing, is the template. */
const EXAMPLE = `${PROVIDERS}/testing/thirdpay`;
const CONFIG = 'libs/service-kit/src/config';
const PAYMENTS = 'apps/payments/src';
const TOPOLOGY = 'libs/contracts/src/topology.ts';
const NAMES = /export const PROVIDER_NAMES = \[(.*)\] as const;/;

/**
 * `nx g @fundrail/generators:provider acmepay`: the example's adapter under its own name with its conformance suite, wired into
 * payments, which offers it where it has an address (decision 0048).
 */
export default async function providerGenerator(tree: Tree, { name }: Options): Promise<() => void> {
  if (tree.exists(`${PROVIDERS}/${name}`)) throw new Error(`${PROVIDERS}/${name} is there already`);
  const { className } = names(name);
  for (const file of tree.children(EXAMPLE)) copyOf(tree, file, name);
  addLine(tree, name, className);
  addName(tree, name);
  addVariables(tree, name, className);
  addMigration(tree, name);
  addCallback(tree, name);
  addToTopology(tree, name);
  addToWalks(tree, name);
  await formatFiles(tree);
  return () => {
    console.log(nextOf(name));
  };
}

/** Stages and the suite stand one folder deeper in the example than their sources will. */
function copyOf(tree: Tree, file: string, name: string): void {
  const { className, constantName } = names(name);
  const isStage = /-(books|server)\.ts$/.test(file);
  const text = textOf(tree, `${EXAMPLE}/${file}`)
    .replace(/\/\*\* The provider of docs.*\n/, `/** Payments by ${name}. */\n`)
    .replace(/readonly name = '\w+'/, `readonly name = '${constantName}'`)
    .replace(', a fictitious provider', '')
    .replace("from '../index.ts'", "from '../testing/index.ts'")
    .replaceAll(/from '\.\/(\w+-(?:books|server)\.ts)'/g, isStage ? "from './$1'" : "from './testing/$1'")
    .replaceAll("from './callback.ts'", isStage ? "from '../callback.ts'" : "from './callback.ts'")
    .replaceAll("from '../conformance-stage.ts'", "from '../../testing/conformance-stage.ts'")
    .replaceAll("from '../../", isStage ? "from '../../" : "from '../")
    .replaceAll('@third', `@${name}`)
    .replaceAll('thirdpay', name)
    .replaceAll('Thirdpay', className);
  const own = file.replace('thirdpay', name);
  tree.write(`${PROVIDERS}/${name}/${isStage ? 'testing/' : ''}${own}`, text);
}

/** The line that builds it, and its export. */
function addLine(tree: Tree, name: string, className: string): void {
  const built = `${PROVIDERS}/built-providers.ts`;
  tree.write(
    built,
    `import { ${className}Payments } from './${name}/${name}.adapter.ts';\n${textOf(tree, built)}`,
  );
  replaceInBlock(tree, built, 'interface ProvidersConfig {', [
    '  readonly gatewaypoa:',
    `  readonly ${name}?: ConstructorParameters<typeof ${className}Payments>[0] | null;\n  readonly gatewaypoa:`,
  ]);
  insertAfter(tree, built, 'buildProviders({ ', `${name}, `);
  insertBefore(
    tree,
    built,
    '  ];\n  return { gateway, all };',
    `    ...(${name} ? [new ${className}Payments({ ...${name}, ...observation })] : []),\n`,
  );
  tree.write(
    `${PROVIDERS}/index.ts`,
    `${textOf(tree, `${PROVIDERS}/index.ts`)}export * from './${name}/index.ts';\n`,
  );
}

/** Its name on the wire, but for mandates, which it does not have. */
function addName(tree: Tree, name: string): void {
  const dto = 'libs/contracts/src/payment.dto.ts';
  const upper = name.toUpperCase();
  const [line = '', before = ''] = NAMES.exec(textOf(tree, dto)) ?? [];
  replaceOnce(tree, dto, line, `export const PROVIDER_NAMES = [${before}, '${upper}'] as const;`);
  const mandates = 'libs/contracts/src/mandate.dto.ts';
  const without = /z\.enum\(PROVIDER_NAMES\)\.exclude\(\[(.*)\]\)/.exec(textOf(tree, mandates));
  if (without) replaceOnce(tree, mandates, `[${without[1] ?? ''}]`, `[${without[1] ?? ''}, '${upper}']`);
  else
    insertAfter(
      tree,
      mandates,
      "bank_account_id: integerIdOf('old_id', 'bankAccount'),\n    provider_name: z.enum(PROVIDER_NAMES)",
      `.exclude(['${upper}'])`,
    );
}

/** Its address and Secret, in the environment and in the configuration of payments. */
function addVariables(tree: Tree, name: string, className: string): void {
  const upper = name.toUpperCase();
  const variables = `${CONFIG}/provider-variables.ts`;
  insertAfter(tree, variables, 'export const PROVIDER_ADDRESSES = [', `'${upper}_BASE_URL', `);
  const imported = "import { BadEnvironment } from './environment.ts';\n";
  const text = textOf(tree, variables);
  tree.write(
    variables,
    `${text.includes(imported) ? '' : imported}${text}
/** The variables of a service that calls ${name}. Without its address it is not offered. */
export const ${name}Variables = {
  ${upper}_BASE_URL: baseUrlVariable.optional(),
  ${upper}_WEBHOOK_SECRET: secretVariable.optional(),
};

/** Its address, and what signs its callbacks; null where it has no address. */
export type ${className}Access = ReturnType<typeof ${name}Access>;

export function ${name}Access(env: z.output<z.ZodObject<typeof ${name}Variables>>) {
  const { ${upper}_BASE_URL: baseUrl, ${upper}_WEBHOOK_SECRET: secret } = env;
  if (baseUrl === undefined) return null;
  if (secret === undefined) throw new BadEnvironment('${upper}_WEBHOOK_SECRET must be given with ${upper}_BASE_URL');
  return { baseUrl, secret };
}
`,
  );
  insertBefore(
    tree,
    `${CONFIG}/sandbox-secrets.ts`,
    "  ADMIN_CLIENT_ID: 'admin',",
    `  ${upper}_WEBHOOK_SECRET: 'sandbox-${name}-webhook-secret-0123456789',\n`,
  );
  const config = `${PAYMENTS}/config.ts`;
  insertBefore(
    tree,
    config,
    "} from '@fundrail/service-kit';",
    `  ${name}Access,\n  ${name}Variables,\n  type ${className}Access,\n`,
  );
  insertBefore(tree, config, '    ...debitVariables,\n', `    ...${name}Variables,\n`);
  insertBefore(tree, config, '    times: {\n', `    ${name}: ${name}Access(env),\n`);
  insertBefore(
    tree,
    config,
    '  /** How long a payment waits for the investor. */\n',
    `  /** Null: it is not offered. */\n  abstract readonly ${name}: ${className}Access;\n`,
  );
  const environment = 'k8s/overlays/production/environment.env';
  insertBefore(
    tree,
    environment,
    '# The networks of the pods',
    `${upper}_BASE_URL=https://api.${name}.example\n`,
  );
  insertBefore(
    tree,
    'tools/topology/sites.ts',
    "  GATEWAYPOA_API_KEY: '",
    `  ${upper}_WEBHOOK_SECRET: '00000000-what-${name}-signs-its-webhooks-with',\n`,
  );
}

/** The CHECK of `payments.provider_name` with its name. */
function addMigration(tree: Tree, name: string): void {
  const definition = `${PAYMENTS}/index.ts`;
  const used = [...textOf(tree, definition).matchAll(/\w(\d{13})\b/g)].map(([, time]) => Number(time));
  const migration = `${names(name).className}Payments${Math.max(...used) + 1}`;
  const upper = name.toUpperCase();
  generateFiles(tree, `${import.meta.dirname}/files`, PAYMENTS, { name, upper, migration });
  insertBefore(
    tree,
    definition,
    'import { PaymentsModule }',
    `import { ${migration} } from './migrations/${name}-payments.migration.ts';\n`,
  );
  insertBefore(tree, definition, '  ],\n  tables: [', `    ${migration},\n`);
}

function addCallback(tree: Tree, name: string): void {
  const controller = `${PAYMENTS}/payment/callback.controller.ts`;
  const text = textOf(tree, controller).trimEnd();
  if (!text.endsWith('\n}')) throw new Error(`${controller} does not end with its class`);
  tree.write(
    controller,
    `${text.slice(0, -1)}
  @Post('${name}')
  @HttpCode(200)
  @Public()
  @ApiOperation({
    summary: '${name} reports on payments and refunds',
    description: 'For the provider, not for clients. The signature over the raw body is checked, and a repeated report has no further effect.',
  })
  @ApiBody({ required: true, schema: { type: 'object', additionalProperties: true } })
  @ApiResponse({ status: 200, description: 'The report is stored', standardSchema: takenCallback })
  async ${name}(@Headers() headers: CallbackHeaders, @RawBody() body: string): Promise<{ received: true }> {
    await this.take.execute('${name.toUpperCase()}', headers, body);
    return { received: true };
  }
}
`,
  );
}

/** The tests of all routes: this one names no object of a tenant, and its body has the provider's rules. */
function addToWalks(tree: Tree, name: string): void {
  for (const spec of ['api-surface', 'tenants'])
    insertAfter(
      tree,
      `verification/src/${spec}.e2e.spec.ts`,
      "  'POST /callbacks/gatewaypoa/plans',\n",
      `  'POST /callbacks/${name}',\n`,
    );
}

function addToTopology(tree: Tree, name: string): void {
  insertAfter(
    tree,
    TOPOLOGY,
    'export const PROVIDER_SECRETS = {\n',
    `  ${name}: ['${name.toUpperCase()}_WEBHOOK_SECRET'],\n`,
  );
  const payments = '  payments: {';
  replaceInBlock(tree, TOPOLOGY, payments, [
    "'/callbacks/gatewaypoa/payments',",
    `'/callbacks/gatewaypoa/payments', '/callbacks/${name}',`,
  ]);
  replaceInBlock(tree, TOPOLOGY, payments, [
    "providers: ['gatewaypoa',",
    `providers: ['gatewaypoa', '${name}',`,
  ]);
}

function nextOf(name: string): string {
  return `
Next: the provider's own messages and keys in ${PROVIDERS}/${name} (docs/adding-a-provider.md), npm run jest -- ${name},
then npm run docs, npm run docs:openapi and npm run check.
By hand, as they decide who has a Secret and what needs no token: ${name.toUpperCase()}_WEBHOOK_SECRET into the list of payments in
tools/topology/topology.spec.ts, and /callbacks/${name} into that of verification/src/documents/openapi.e2e.spec.ts.`;
}
