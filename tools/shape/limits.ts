import type { Measure } from './measures.ts';

/** How far a measure may go today, and where it is to come. A change that takes something away lowers the limit in the same commit. */
interface Limit {
  readonly limit: number;
  readonly wanted: number;
}

/** Lines of the product that each capability took which came after the house was built. Only a change that adds one adds a row. */
const CAPABILITIES = {
  'documents that clients are generated from, and inputs of the upstream interface': 245,
  'names, habits, steps, refusals and signatures of clients of the upstream interface': 638,
  'dated policies, their routes and the limit of a UPI payment': 700,
  'policies of daily UPI, collect exemptions, days of e-mandates, mandates for subscriptions, and their count': 432,
  'what a pre-debit notice states, the same in each repeat': 84,
  'debits that an investor refuses': 158,
  'mandates that an investor changes at the issuer': 217,
  'validated UPI handles: whom the URIs of providers pay, and the page that names it': 125,
  'the pace of questions about UPI': 248,
  'the proof of a second factor with a consent': 179,
  'polls that rest while there is no work, and stops of the clock by the second': 71,
  'moves of the sandbox clock that ask only the busy services': 69,
  'systematic purchase plans: their engine, their payment, and the demo': 3_554,
  'checks at once of the mandates of purchase plans, held steps, and the newer of two limits': 131,
  'the amount of a step-up that is held, and the limit that holds it': 23,
  'equal shares of a batch of installments for tenants, and plans that none waits for': 97,
  'a document of the interface that names, describes and shows every operation': 1_107,
  'statements of a transaction that share round trips': 65,
  'what a change writes as one statement, and what decides about a payment by one read': 183,
  'the day whose NAV is expected: facts, forecast, the sentence of the page, and the day in the sandbox': 450,
  'the payout of redemptions: last day, report, finding, and payouts in the sandbox': 257,
  'personal data: its policy, its export and its erasure in all services': 1_189,
  'erasures of investors with mandates or many events, found with real rows, and exports of a bounded size': 51,
  'details of profiles, folios, retries, and filters and steps of clients of the upstream interface': 1_003,
  'guides, and the sign-in of the reader': 128,
  'further steps of clients of the upstream, and the sentences of their refusals': 114,
  'questions at once about payments and debits, of operators and of cancellations': 474,
  'signed overrides of policies': 239,
  'generated clients, from the commands and programs of their page': 224,
  'overrides that leave no day without a rule that the product needs': 40,
  'fewer looks that find nothing, and fetches and commits of offsets for several events': 197,
  'facts of callbacks, events and webhook attempts that stay a year': 165,
  'services that catch up with the clock of an event': 20,
  'bounds, expiry and issue of signed overrides': 169,
  'second payouts, resends that do not starve, and cancellations that leave the last question': 30,
  'routes of operators for the data of a person, earlier figures of limits, and the tests that the page of policies names': 116,
  'an OpenAPI document that is made when it is first asked for': 4,
  'digits of days, the direction of payments and profiles as clients of the upstream send them': 88,
  'unions, examples of forms and amounts of the document, and the sign-in of the operator': 40,
  'last days of payouts that follow the holiday list, and figures of debits that follow their policies': 65,
  'exports that are not stored, steps of the upstream that never come, and URLs without their queries': 40,
  'investors whom fields of the upstream may not hide, exports of what is stored, and rules that hold when a policy changes': 65,
  'windows of an override that leave out its peak hours': 21,
  'pairs of overrides that expire together, and versions that keep their order': 28,
  'investors of full age and their residencies in a change, hashes of refusals, and questions that the next version plans': 66,
  'locks and checks of debits that share a round trip': 23,
  'connections without a password, which end at once': 7,
  'starts of npm start that find their databases up to date': 9,
  'checks of debits beside one that hangs, and questions that an expired override planned': 5,
  'pages and documents that are read when they are first asked for': 3,
  'a password of the embedded database whose logins cost little': 2,
  'the start of a product that a tool writes its document from': 1,
  'disturbed calls of the simulator, for which tests need not wait': 6,
  'rebalances that are short in long sessions': 6,
  'few generated requests, or all': 15,
  'pauses in which events and successes gather, and ends of due work that do not wait for the disk': 29,
  'moves of the sandbox clock that ask no empty bus': 24,
  'questions whose answer waits for news in a move of the clock': 37,
  'memory of npm start that goes back to the system': 2,
};
/** The same for lines of test stages. */
const STAGES_OF_CAPABILITIES = {
  'systematic purchase plans': 354,
  'details of profiles': 60,
  'mandates that an investor changes at the issuer': 12,
  'the pace of questions about UPI': 3,
  'the day whose NAV is expected': 12,
  'the payout of redemptions': 9,
  'columns that stay when a person is erased, looked at one by one': 114,
  'signed overrides of policies': 27,
  'a search of all tables for values of a person': 24,
  'generated clients': 8,
  'fewer looks that find nothing': 8,
  'categories and payouts in the conformance of order gateways': 33,
  'facts of webhooks that stay, and dates of issue of overrides': 6,
  'orders that a fake of orders has': 2,
  'amounts that a fake of orders has': 4,
  'rules of debits at an instant': 2,
  'states of mandates that a fake of mandates has': 8,
  'the direction of listed payments': 2,
  'a pause that the container engine gives up': 9,
  'databases of tests in memory': 32,
  'time-outs that tests let pass': 46,
  'models without a number of runs': 2,
  'the one topic of the tests of the bus, and offsets that a member commits': 25,
  'a sample of the crash points, and numbers of a run': 49,
  'answered questions of a fake of services': 14,
  'products and pages that tests of a suite share': 51,
};
const sumOf = (lines: Readonly<Record<string, number>>) =>
  Object.values(lines).reduce((sum, one) => sum + one, 0);
const LINES_OF_CAPABILITIES = sumOf(CAPABILITIES);

export const LIMITS: Readonly<Record<string, Limit>> = {
  'files of a UPI payment': { limit: 43, wanted: 35 },
  'files of a debit': { limit: 59, wanted: 45 },
  'columns of payments': { limit: 26, wanted: 26 },
  'files that name a field of a payment (source_ref_id)': { limit: 11, wanted: 4 },
  'files that name a provider (sdkvendor)': { limit: 15, wanted: 2 },
  'files that name a service (plans)': { limit: 19, wanted: 2 },
  'lines of the product': { limit: 70_983 + LINES_OF_CAPABILITIES, wanted: 63_000 + LINES_OF_CAPABILITIES },
  'lines of test stages': { limit: 23_694 + sumOf(STAGES_OF_CAPABILITIES), wanted: 18_000 },
  'constructors over 6 parameters': { limit: 0, wanted: 0 },
  'functions over 4 parameters': { limit: 0, wanted: 0 },
  'import circles': { limit: 0, wanted: 0 },
  'exports that no other file names': { limit: 0, wanted: 0 },
};

/** What is over its limit or below it, has none, or is not measured: one sentence each. Lines have slack, all else is exact. */
export function faultsOf(
  measures: readonly Measure[],
  limits: Readonly<Record<string, Limit>> = LIMITS,
): readonly string[] {
  const unmeasured = Object.keys(limits).filter((name) => !measures.some((measure) => measure.name === name));
  return [
    ...unmeasured.map((name) => `"${name}" has a limit and is not measured`),
    ...measures.flatMap(({ name, count }) => {
      const limit = limits[name]?.limit;
      if (limit === undefined) return [`"${name}" has no limit in tools/shape/limits.ts`];
      if (count > limit)
        return [
          `${name}: ${count}, and the limit is ${limit}. \`npm run shape -- "${name}"\` lists the places.`,
        ];
      return count < limit && !name.startsWith('lines ')
        ? [`${name}: ${count}, so lower the limit of ${limit} in tools/shape/limits.ts`]
        : [];
    }),
  ];
}
