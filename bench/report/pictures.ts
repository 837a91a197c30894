import { init, type EChartsCoreOption } from 'echarts';
import { figuresOf, type Result } from '../results.ts';

const WIDTH = 800;
const ROW_HEIGHT = 44;
const FRAME_HEIGHT = 130;
// Without a browser the width of a text is not known.
const LABEL_WIDTH = 220;
// Okabe and Ito's colours: distinct without red and green.
const COLOURS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#f0e442', '#999999'];

const NO_SEGMENTS = new Set(['outside', 'all but outside']);

/** One bar, or one segment of a bar, by the figure that it shows. */
interface Bar {
  readonly label: string;
  readonly figure: string;
}

/** A picture of one benchmark's result: bars of one unit, each of one figure or stacked of several, and a line to compare them with. */
interface Picture {
  readonly bench: string;
  /** The file's name, without its ending. */
  readonly name: string;
  readonly title: string;
  readonly unit: string;
  readonly bars?: readonly Bar[];
  readonly line?: Bar | { readonly label: string; readonly at: number };
  /** The figure whose rows are bars, and whose rows' figures are their segments. */
  readonly stacked?: string;
}

const bars = (...pairs: readonly (readonly [string, string])[]): Bar[] =>
  pairs.map(([label, figure]) => ({ label, figure }));

/** Every picture of the page, in its order. */
export const PICTURES: readonly Picture[] = [
  {
    bench: 'walk',
    name: 'walk-processor',
    title: 'A purchase: processor by step and process',
    unit: 'ms of processor a purchase',
    stacked: 'cpu_by_step',
  },
  {
    bench: 'walk',
    name: 'walk-latency',
    title: 'A purchase at half load: how long its webhooks take',
    unit: 'ms',
    bars: bars(
      ['commit to webhook, p50', 'commit_to_webhook_p50_ms'],
      ['commit to webhook, p99', 'commit_to_webhook_p99_ms'],
      ['capture to webhook, p50', 'capture_to_webhook_p50_ms'],
      ['capture to webhook, p99', 'capture_to_webhook_p99_ms'],
    ),
  },
  {
    bench: 'latency',
    name: 'latency',
    title: 'From the commit of an event to its webhook, over Kafka',
    unit: 'ms',
    bars: [100, 500, 1000].flatMap((rate) =>
      bars(
        [`${rate} events/s, p50`, `latency_${rate}.p50_ms`],
        [`${rate} events/s, p99`, `latency_${rate}.p99_ms`],
      ),
    ),
  },
  {
    bench: 'create-payment',
    name: 'create-payment',
    title: 'Creating payments',
    unit: 'payments a second',
    bars: bars(['the plain build', 'baseline_rps'], ['fundrail', 'ours_rps']),
    line: { label: 'ceiling', figure: 'ceiling_rps' },
  },
  {
    bench: 'relay',
    name: 'relay',
    title: 'Publishing events to Kafka',
    unit: 'events a second',
    bars: bars(['one by one', 'naive_eps'], ['fundrail', 'relay_eps']),
    line: { label: 'ceiling', figure: 'ceiling_eps' },
  },
  {
    bench: 'webhooks',
    name: 'webhooks',
    title: 'Delivering webhooks',
    unit: 'deliveries a second',
    bars: bars(
      ['due at once', 'deliveries_ps'],
      ['without dead endpoints', 'without_dead_ps'],
      ['beside dead and slow endpoints', 'with_dead_ps'],
    ),
  },
  {
    bench: 'lists',
    name: 'lists',
    title: 'Lists of payments: 10 million against 100 thousand',
    unit: 'times as long',
    bars: bars(
      ['first page', 'ratio'],
      ['one status in seven', 'status.ratio'],
      ['a rare status', 'rare_status.ratio'],
      ['30 days', 'days.ratio'],
      ['three orders', 'orders.ratio'],
      ['a page in the middle', 'deep_page.ratio'],
      ['the last page', 'last_page.ratio'],
      ['one payment', 'one.ratio'],
    ),
    line: { label: 'equal', at: 1 },
  },
  {
    bench: 'swp',
    name: 'swp',
    title: 'Installments of plans that fall due at once',
    unit: 'plans a second',
    bars: bars(['one by one', 'one_by_one_ps'], ['fundrail', 'plans_ps']),
  },
  {
    bench: 'peers',
    name: 'peers',
    title: 'Other programs for the same work: how much more processor they take',
    unit: 'times as much as fundrail',
    bars: bars(
      ['pg-boss, a plan', 'peers.pg-boss.times_cpu'],
      ['graphile-worker, a plan', 'peers.graphile-worker.times_cpu'],
      ['Debezium, an event', 'peers.debezium.times_cpu'],
    ),
    line: { label: 'equal', at: 1 },
  },
];

/** Draws a picture of a result as SVG. A figure that the result lacks is left out. */
export function draw(picture: Picture, result: Result): string {
  const { labels, series } = picture.stacked ? stacks(result, picture.stacked) : plain(picture, result);
  const chart = init(null, null, {
    renderer: 'svg',
    ssr: true,
    width: WIDTH,
    height: FRAME_HEIGHT + ROW_HEIGHT * labels.length,
  });
  const option: EChartsCoreOption = {
    animation: false,
    backgroundColor: '#ffffff',
    color: COLOURS,
    title: { text: picture.title, left: 'center' },
    legend: picture.stacked ? { bottom: 0 } : undefined,
    grid: { left: LABEL_WIDTH, right: 60, top: 45, bottom: picture.stacked ? 85 : 60 },
    xAxis: { type: 'value', name: picture.unit, nameLocation: 'middle', nameGap: 28 },
    yAxis: { type: 'category', data: labels, inverse: true },
    series,
  };
  chart.setOption(option);
  const svg = chart.renderToSVGString();
  chart.dispose();
  return svg;
}

function plain({ bars = [], line }: Picture, result: Result) {
  const figures = figuresOf(result);
  const shown = bars.flatMap(({ label, figure }) => {
    const value = figures.get(figure);
    return value === undefined ? [] : [{ label, value }];
  });
  const at = line && ('at' in line ? line.at : figures.get(line.figure));
  const markLine = at !== undefined && {
    symbol: 'none',
    lineStyle: { color: '#d55e00' },
    data: [{ xAxis: at, label: { formatter: `${line?.label} ${at}` } }],
  };
  const data = shown.map(({ value }) => value);
  const series = { type: 'bar', data, label: { show: true, position: 'right' }, markLine };
  return { labels: shown.map(({ label }) => label), series: [series] };
}

/** Rows and segments in the order of the result; what the bench itself used and sums are left out. */
function stacks(result: Result, figure: string) {
  const places = [...figuresOf(result)]
    .map(([name, value]) => ({ path: name.split('.'), value }))
    .filter(({ path: [first, , segment = ''] }) => first === figure && !NO_SEGMENTS.has(segment));
  const [labels, names] = [1, 2].map((at) => [...new Set(places.map(({ path }) => path[at] ?? ''))]);
  const valueOf = (label: string, name: string) =>
    places.find(({ path }) => path[1] === label && path[2] === name)?.value ?? 0;
  const series = (names ?? []).map((name) => ({
    type: 'bar',
    stack: 'all',
    name,
    data: (labels ?? []).map((label) => valueOf(label, name)),
  }));
  return { labels: labels ?? [], series };
}
