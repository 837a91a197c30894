import { SERVICES } from '@fundrail/contracts';
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { departuresOf } from './dialect.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** The parts of a service that departs nowhere, by their path in it. */
const DEMO = {
  'main.ts':
    "import { runService } from '@fundrail/service-kit';\nimport { demoService } from './index.ts';\n\nawait runService(demoService);\n",
  'index.ts': '',
  'config.ts': '',
  'demo.module.ts': '@Module({})\nexport class DemoModule {}\n',
  'life.int.spec.ts': '',
  'migrations/0001-baseline.migration.ts': 'export class DemoBaseline extends Baseline {}\n',
  'testing/demo-under-test.ts': "const rows = sql('a', 'b');\n",
  'widget/close-widget.ts': '@Injectable()\nexport class CloseWidget {}\n',
  'widget/widget.repository.ts': "const find = sql('widgets.find', '');\n",
  'widget/widget.tables.ts': "export const WIDGETS = defineTable('widgets', {});\n",
};

const departures = (changes: Readonly<Record<string, string | null>>) => {
  const changed: Readonly<Record<string, string | null>> = { ...DEMO, ...changes };
  return departuresOf(
    ['demo'],
    Object.entries(changed).flatMap(([path, text]) =>
      text === null ? [] : [{ path: `apps/demo/src/${path}`, text }],
    ),
  );
};

/** Today's departures, each with its reason. One that is gone is taken out, and a new one is a decision. */
const EXPLAINED: Readonly<Record<string, string>> = {
  'apps/orders/src/order/counted-deadlines.ts has what belongs into a .repository.ts':
    'pages of due work for the kit, which runs them',
  'apps/mandates/src/debit/counted-deadlines.ts has what belongs into a .repository.ts': 'the same',
  'apps/payments/src/debit/counted-deadlines.ts has what belongs into a .repository.ts': 'the same',
  'apps/payments/src/trace/trace-payment.ts has what belongs into a .repository.ts':
    'one statement that only an operator causes',
  'apps/payments/src/payment/order-state.repository.ts has what belongs into a .table.ts':
    'a table that only these statements know',
  'apps/payments/src/collection/authorisation/mandate-token.repository.ts has what belongs into a .table.ts':
    'the same',
  'apps/simulator/src/clock/business-clock.ts has what belongs into a .repository.ts':
    "one statement over the kit's table",
  'apps/simulator/src/hold/held-steps.ts has what belongs into a .repository.ts':
    'a queue and its lane in one',
  'apps/plans/src/gateway/take-plan-callback.ts has what belongs into a .repository.ts':
    'one statement, in the transaction that it makes repeatable',
  'apps/payments/src/collection/checkout-page/page.script.ts has the role "script", which no service has':
    'the one page with a script',
  'apps/payments/src/collection/checkout-page/texts.en.ts has the role "en", which no service has':
    'the one page in two languages',
  'apps/payments/src/collection/checkout-page/texts.hi.ts has the role "hi", which no service has':
    'the same',
  'apps/simulator/src/gatewaypoa/gateway-refusal.ts has what belongs into a .filter.ts':
    "an outside system's refusal, and how it is answered there",
  'apps/simulator/src/sdkvendor/razorpay-refusal.ts has what belongs into a .filter.ts': 'the same',
  'apps/webhooks/src/dashboard/guards.ts has what belongs into a .guard.ts': 'two guards of one dashboard',
};

describe('the dialect of a service', () => {
  it('is kept by this one', () => {
    expect(departures({})).toEqual([]);
  });

  it.each([
    ['a missing part', { 'config.ts': null }, 'config.ts is missing'],
    [
      'a service without a stage',
      { 'testing/demo-under-test.ts': null },
      'testing is missing: what its specs run it on',
    ],
    ['a file beside the folders', { 'helpers.ts': '' }, 'helpers.ts stands beside the folders'],
    ['a name in camelCase', { 'widget/toWidget.ts': '' }, 'widget/toWidget.ts is not in kebab-case'],
    ['a deep folder', { 'a/b/c/d.ts': '' }, 'a/b/c/d.ts is more than two folders deep'],
    ['a longer main', { 'main.ts': 'await start();\n' }, 'main.ts does more than run it'],
    ['a migration without its role', { 'migrations/x.ts': '' }, 'migrations/x.ts is no migration'],
    [
      'a role of its own',
      { 'widget/widget.service.ts': '' },
      'widget/widget.service.ts has the role "service", which no service has',
    ],
    [
      'a statement in a use case',
      { 'widget/close-widget.ts': "const close = sql('a', 'b');\n" },
      'widget/close-widget.ts has what belongs into a .repository.ts',
    ],
    [
      'a route in a consumer',
      { 'widget/widget.consumer.ts': "@Controller('v2/widgets')\nexport class Widgets {}\n" },
      'widget/widget.consumer.ts has what belongs into a .controller.ts',
    ],
  ])('is departed from by %s', (_what, changes, departure) => {
    expect(departures(changes)).toEqual([`apps/demo/src/${departure}`]);
  });

  it('is kept by every service, but for what is explained', () => {
    const files = globSync('apps/*/src/**/*.ts', { cwd: ROOT }).map((path) => ({
      path,
      text: readFileSync(resolve(ROOT, path), 'utf8'),
    }));
    expect([...departuresOf(SERVICES, files)].sort()).toEqual(Object.keys(EXPLAINED).sort());
  });
});
