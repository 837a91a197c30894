/** A file of a service: its path from the root, and its text. */
interface ServiceFile {
  readonly path: string;
  readonly text: string;
}

/** What every service has. */
const PARTS = ['main.ts', 'index.ts', 'config.ts', 'migrations/0001-baseline.migration.ts'];

/** What stands beside its folders. `fault-points` is only where a crash test stops it. */
const BESIDE = /^(main|index|config|fault-points|<name>\.module|[a-z0-9.-]+\.spec)\.ts$/;

const MAIN = `import { runService } from '@fundrail/service-kit';
import { <name>Service } from './index.ts';

await runService(<name>Service);
`;

/** The roles that a file's name may end with, and what is written in files of that role alone. A use case is a verb phrase without one. */
const ROLES: Readonly<Record<string, RegExp | null>> = {
  module: /^@Module\(/m,
  controller: /^@Controller\((?!\)\nexport class \w*Consumer)/m,
  consumer: /^\s*@OnEvent\(/m,
  repository: /[^\w.]sql\(/,
  table: /[^\w.]defineTable\(/,
  aggregate: /[^\w.]new (Recorded)?Aggregate</,
  tables: null,
  check: / extends ReconciliationCheck /,
  migration: / (implements MigrationInterface|extends (Baseline|SqlMigration)) /,
  guard: / implements CanActivate /,
  filter: /^@Catch\(/m,
  interceptor: / implements NestInterceptor/,
  pipe: / implements PipeTransform/,
  decorator: null,
  dto: null,
  due: null,
  lane: null,
  view: null,
  style: null,
  headers: null,
  wiring: null,
  builder: null,
};
const PLURAL: Readonly<Record<string, string>> = { tables: 'table' };

const FILE_NAME = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)*\.ts$/;
/** A part of a baseline that is too long for one file. */
const BASELINE = /^0001-baseline\.[a-z]+\.ts$/;

/** Where the services depart from their one dialect: a sentence for each departure, by service and file. */
export function departuresOf(services: readonly string[], files: readonly ServiceFile[]): readonly string[] {
  return services.flatMap((name) => {
    const start = `apps/${name}/src/`;
    const own = files
      .filter(({ path }) => path.startsWith(start))
      .map(({ path, text }) => ({ path, within: path.slice(start.length), text }));
    const has = new Set(own.map(({ within }) => within));
    const missing = [...PARTS, `${name}.module.ts`].filter((part) => !has.has(part));
    const hasStage = own.some(({ within }) => within.startsWith('testing/'));
    return [
      ...missing.map((part) => `${start}${part} is missing`),
      ...(hasStage ? [] : [`${start}testing is missing: what its specs run it on`]),
      ...own.flatMap((file) => faultsIn(name, file).map((fault) => `${file.path} ${fault}`)),
    ];
  });
}

function faultsIn(name: string, { within, text }: Omit<ServiceFile, 'path'> & { readonly within: string }) {
  const folders = within.split('/');
  const file = folders.pop() ?? '';
  const isForTests = folders[0] === 'testing' || file.endsWith('.spec.ts');
  const isMigrations = folders[0] === 'migrations';
  if (isMigrations && BASELINE.test(file)) return [];
  const [role, ...more] = file.split('.').slice(1, -1);
  const isBeside = new RegExp(BESIDE.source.replace('<name>', name)).test(file);
  return [
    ...(FILE_NAME.test(file) ? [] : ['is not in kebab-case']),
    ...(folders.length > 2 ? ['is more than two folders deep'] : []),
    ...(folders.length === 0 && !isBeside ? ['stands beside the folders'] : []),
    ...(within === 'main.ts' && text !== MAIN.replaceAll('<name>', name) ? ['does more than run it'] : []),
    ...(isMigrations && role !== 'migration' && !isForTests ? ['is no migration'] : []),
    ...(isForTests || role === undefined || (role in ROLES && more.length === 0)
      ? []
      : [`has the role "${[role, ...more].join('.')}", which no service has`]),
    ...(isForTests ? [] : foreignMarks(text, role)),
  ];
}

/** What stands in the text and belongs into files of another role. */
function foreignMarks(text: string, role = ''): readonly string[] {
  return Object.entries(ROLES).flatMap(([home, mark]) =>
    mark?.test(text) && home !== (PLURAL[role] ?? role) ? [`has what belongs into a .${home}.ts`] : [],
  );
}
