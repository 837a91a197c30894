/** A time series as `/metrics` tells it. */
export interface Series {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const SERIES = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** All time series that a process tells now. */
export async function readMetrics(url: string): Promise<Series[]> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = SERIES.exec(line) ?? [];
    if (name === undefined) return [];
    const told = [...labels.matchAll(LABEL)].map(([, label = '', text = '']) => [label, text]);
    return [{ name, labels: Object.fromEntries(told) as Record<string, string>, value: Number(value) }];
  });
}

/** Reads one value: that of the first series of the name that has these labels, whatever others; null when it is not told. */
export function metricReader(
  url: string | null,
): (name: string, labels?: Readonly<Record<string, string>>) => Promise<number | null> {
  if (url === null) throw new Error('the service has no OPS_PORT');
  return async (name, labels = {}) => {
    const wanted = Object.entries(labels);
    const found = (await readMetrics(url)).find(
      (one) => one.name === name && wanted.every(([label, value]) => one.labels[label] === value),
    );
    return found?.value ?? null;
  };
}
