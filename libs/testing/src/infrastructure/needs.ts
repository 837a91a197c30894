/** What a suite may need besides PostgreSQL, which is always there. */
export type Need = 'Kafka' | 'Docker' | 'kubectl' | 'Python' | 'Go' | 'Java';

/** How to get it; shown with the suites that were skipped. */
export const HOW_TO_GET: Readonly<Record<Need, string>> = {
  Kafka: 'start Docker; or install Java 17 and Maven; or set KAFKA_BROKERS=host:port',
  Docker: 'start Docker',
  kubectl: 'install kubectl (1.27 or later), kustomize (5 or later) or Go',
  Python: 'install Python 3.10 or later, with venv',
  Go: 'install Go 1.26 or later',
  Java: 'install Java 17 or later, Maven, and Python 3.10 or later with venv',
};

const MARK = /\[not run: no (\w+)\]$/;

/** The title of a skipped suite, by which the reporter finds it. */
export function titleOfLeftOut(title: string, need: Need): string {
  return `${title} [not run: no ${need}]`;
}

/** What a skipped suite with this title needs; null for any other suite. */
export function needOfLeftOut(title: string): Need | null {
  const need = MARK.exec(title)?.[1] ?? '';
  return need in HOW_TO_GET ? (need as Need) : null;
}
