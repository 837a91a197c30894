import { drawReport } from '../../bench/report/report.ts';
import type { Result } from '../../bench/results.ts';

const machine = { day: '2026-11-27', processor: 'a processor', processors: 2, hash_ms: 50 };
const walk: Result = {
  bench: 'walk',
  purchases_ps: 301,
  cpu_ms_per_purchase: 6.1,
  cpu_by_step: { consent: { orders: 1, Kafka: 2, outside: 9 } },
  commit_to_webhook_p50_ms: 12,
  machine,
};
const lists: Result = { bench: 'lists', ratio: 1.1, deep_page: { ratio: 1.2 }, machine };

const rowsOf = (page: string, word: string) => page.split('\n').filter((line) => line.includes(word));

describe('the report of kept results', () => {
  const { page, pictures } = drawReport(
    new Map([
      ['walk', walk],
      ['lists', lists],
    ]),
  );

  it('has a goal that is met, one that is missed with what bounds it, and one that is not measured', () => {
    expect(rowsOf(page, 'purchases a second')).toEqual([
      expect.stringMatching(/at least 300 \| 301 \| met \|$/),
    ]);
    expect(rowsOf(page, 'processor of a whole')).toEqual([
      expect.stringMatching(/at most 6 \| 6.1 \| missed: .+/),
    ]);
    expect(rowsOf(page, 'a page in the middle')).toEqual([expect.stringMatching(/\| 1.2 \| met \|$/)]);
    expect(rowsOf(page, 'debits a second')).toEqual([expect.stringMatching(/\|  \| not measured \|$/)]);
  });

  it('states what one processor does a second, by its cost or by its share of a rate', () => {
    const machines = { machine: { ...machine, processors: 4 } };
    const { page } = drawReport(
      new Map<string, Result>([
        ['walk', { ...walk, ...machines }],
        ['debits', { bench: 'debits', debits_ps: 2_400, ...machines }],
        ['webhooks', { bench: 'webhooks', delivery_cpu_us: 250, ...machines }],
      ]),
    );
    expect(rowsOf(page, 'whole purchases,')).toEqual([expect.stringMatching(/\| 160 \|/)]);
    expect(rowsOf(page, 'debits sent')).toEqual([expect.stringMatching(/\| 600 \|/)]);
    expect(rowsOf(page, 'webhooks delivered')).toEqual([expect.stringMatching(/\| 4000 \|/)]);
    expect(rowsOf(page, 'payments created over HTTP')).toEqual([]);
  });

  it('names the machine of each result', () => {
    expect(rowsOf(page, '2026-11-27')).toEqual([
      expect.stringContaining('| `walk` | 2026-11-27 | a processor | 2 |'),
      expect.stringContaining('| `lists` | 2026-11-27 | a processor | 2 |'),
    ]);
  });

  it('shows each picture of a result, and no picture without one', () => {
    expect([...pictures.keys()]).toEqual(['walk-processor.svg', 'walk-latency.svg', 'lists.svg']);
    for (const file of pictures.keys()) expect(page).toContain(`(performance/${file})`);
  });

  it('stacks the processes of a step, and leaves the world outside out', () => {
    const svg = pictures.get('walk-processor.svg');
    for (const text of ['>consent<', '>orders<', '>Kafka<']) expect(svg).toContain(text);
    expect(svg).not.toContain('>outside<');
  });

  it('draws the line that bars are compared with', () => {
    expect(pictures.get('lists.svg')).toContain('>equal 1<');
  });

  it('is refused when no result is kept', () => {
    expect(() => drawReport(new Map())).toThrow('run a benchmark first');
  });
});
