/** Rules that no test cites, and why. A rule that a test cites may not be here. */
export const UNTESTED_REASONS: Readonly<Record<string, string>> = {
  'AUTH-12':
    'The hash is tested (it is slow and does not contain the secret); no test reads what the table of clients stores.',
  'CALL-2':
    'A call between services throws inside a transaction, which is tested; there is no such check for calls to providers.',
  'CALL-6': 'The services that may call each other are enforced and tested; no test reads what they ask.',
  'CALL-8': 'A way of writing code.',
  'CLOCK-10': 'A measurement: `npm run bench -- clock`.',
  'CONV-1': 'A convention of all schemas: docs/openapi.json and the golden files of the events show it.',
  'CONV-2': 'A convention of all schemas: docs/openapi.json and the golden files of the events show it.',
  'CONV-25': 'A promise about releases: no field has been removed so far.',
  'DATA-1': 'A structure: each service is configured with its own database.',
  'DATA-3': 'A way of writing statements.',
  'DUE-1': 'A structure: the migration of service-kit creates the table.',
  'ERR-11':
    'The type of an error allows no code outside the table, and `npm run docs:check` compares the page with it.',
  'HOOK-24':
    'Its fields and filters are asserted in several tests, but the filter `event` and the field `created_at`.',
  'HOOK-6': 'That the endpoint receives the test event is asserted; that no other does is not.',
  'MSG-6':
    'Consumers run in a transaction, in which a call to another service throws; no test covers every consumer.',
  'OPS-15': 'An absence: the product has no dispute or chargeback.',
  'OPS-16': 'A measurement: `npm run bench -- start`.',
  'ORD-27': 'A fact about the order gateway, not about this product.',
  'PAY-1':
    'An interface: docs/openapi.json lists the fields, and `payment-request.spec.ts` asserts their bounds.',
  'PAY-2':
    'Proved in two places: `claim.spec.ts` of orders (states, consent, account) and `payment-request.spec.ts` (1 to 10 distinct orders).',
  'PLAN-1': 'An interface: docs/openapi.json lists the routes.',
  'PLAN-3': 'No test sends each optional field and checks both defaults.',
  'RATE-7': 'A tenant without a setting is not tested; identity without an answer is (RATE-8).',
  'REF-9':
    'The earlier payment has failed, so its late success takes the path of REF-8; no test has two payments over one order.',
  'SAND-2': 'The conformance suites prove interfaces and callbacks; the times are a measurement.',
};
