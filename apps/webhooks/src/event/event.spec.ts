import { hasPython } from '@fundrail/testing';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { bodyFor, eventBody, newEventRow } from './event.ts';

const GOLDEN = new URL('../../../../libs/contracts/src/events/golden/', import.meta.url);
/** As docs/migrate.md prints it. */
const PRINT = "json.dumps(body, separators=(',', ':'), ensure_ascii=False)";
const PRINT_EACH_LINE = `import json, sys
for line in sys.stdin.buffer.read().decode().splitlines():
    body = json.loads(line)
    sys.stdout.buffer.write((${PRINT} + chr(10)).encode())`;

const event = {
  id: 'evt_0193a1b2c3d47e5f8a9b0c1d2e3f4a5b',
  type: 'payment.updated',
  tenant: 'demo',
  aggregate_id: '1001',
  sequence: 2,
  occurred_at: '2026-11-21T10:00:00.000+05:30',
  data_text: '{"object":{"id":1001,"amount":1001.0000},"previous_attributes":{"upi":null}}',
  traceparent: null,
};

describe('the body of an event', () => {
  it('carries the data byte for byte, in the order of HOOK-10', () => {
    expect(eventBody(event)).toBe(
      '{"id":"evt_0193a1b2c3d47e5f8a9b0c1d2e3f4a5b","object":"event","type":"payment.updated",' +
        '"data":{"object":{"id":1001,"amount":1001.0000},"previous_attributes":{"upi":null}},' +
        '"time":"2026-11-21T10:00:00.000+05:30"}',
    );
  });

  it('is the stored text itself for an endpoint of ours, and keeps all but names and zeros for one of the upstream (COMP-4, COMP-10)', () => {
    const data_text =
      '{"object":{"id":1001,"amount":1001.0000,"provider_name":"SDKVENDOR"},"previous_attributes":null}';
    const stored = eventBody({ ...event, data_text });
    expect(bodyFor(null, stored)).toBe(stored);
    const theirs = bodyFor('upstream', stored);
    expect(theirs).toBe(stored.replace('SDKVENDOR', 'RAZORPAY').replace('1001.0000', '1001'));
    expect(bodyFor('upstream', theirs)).toBe(theirs);
  });

  it.each([
    ['5000.0000', '5000'],
    ['99999999999.9900', '99999999999.99'],
    ['12.3450', '12.345'],
    ['-0.0100', '-0.01'],
    ['0.0001', '0.0001'],
  ])('has %s as %s where a receiver of the upstream prints it again (COMP-10)', (ours, theirs) => {
    const body = bodyFor('upstream', `{"amount":${ours},"name":"आशा \\u0000"}`);
    expect(body).toBe(`{"amount":${theirs},"name":"आशा \\u0000"}`);
    expect(JSON.stringify(JSON.parse(body))).toBe(body);
  });

  (hasPython() ? it : it.skip)('is what Python prints again, for each event and amount (COMP-10)', () => {
    const amounts = ['5000.0000', '99999999999.9900', '0.0001', '-0.0100', '12345678.9000', '0.0000'];
    const bodies = [
      ...readdirSync(GOLDEN).map((name) => readFileSync(new URL(name, GOLDEN), 'utf8')),
      ...amounts.map((amount) => `{"amount":${amount},"name":"आशा’s"}`),
    ].map((body) => bodyFor('upstream', body));
    const printed = execFileSync('python3', ['-c', PRINT_EACH_LINE], { input: bodies.join('\n') });
    expect(printed.toString().trimEnd().split('\n')).toEqual(bodies);
    expect(readFileSync(new URL('../../../../docs/migrate.md', import.meta.url), 'utf8')).toContain(PRINT);
  });

  it('distinguishes two kinds of objects with the same id', () => {
    const subjects = ['payment.failed', 'mandate.approved'].map(
      (type) => newEventRow({ ...event, type }, new Date()).subject,
    );
    expect(subjects).toEqual(['payment:1001', 'mandate:1001']);
  });
});
