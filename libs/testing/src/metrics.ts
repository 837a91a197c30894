/** A time series of `/metrics`. */
export interface Series {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const SERIES = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** All time series that a process exports now. */
export async function readMetrics(url: string): Promise<Series[]> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = SERIES.exec(line) ?? [];
    if (name === undefined) return [];
    const pairs = [...labels.matchAll(LABEL)].map(([, label = '', text = '']) => [label, text]);
    return [{ name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) }];
  });
}

/** Reads the value of the first series with this name and at least these labels; null when there is none. */
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
