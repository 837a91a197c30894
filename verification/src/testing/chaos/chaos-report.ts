import type { Finding, FindingKind } from '../crash/finding.ts';

/** The result of a chaos run. */
export interface ChaosReport {
  readonly seed: number;
  /** Faults of all kinds. */
  readonly kills: number;
  /** Requests that change something and were answered with success. */
  readonly requests: number;
  readonly events: number;
  /** Events that the client's endpoint received, each counted once. */
  readonly webhooks: number;
  /** Records on Kafka, and calls of the endpoint, beyond one for each event. */
  readonly repeatedOnKafka: number;
  readonly repeatedWebhooks: number;
  /** Processes that were killed because they reported that they are not live. */
  readonly notLive: readonly string[];
  /** Processes that ended by themselves, for example at a start without the database. */
  readonly crashed: readonly string[];
  readonly findings: readonly Finding[];
}

/** The last line of a run: its figures, and how many findings there are of each kind. */
function summaryOf({ seed, kills, requests, events, webhooks, findings }: ChaosReport): object {
  const count = (kind: FindingKind) => findings.filter((finding) => finding.kind === kind).length;
  return {
    ...{ seed, kills, requests, events, webhooks },
    lost: count('lost'),
    doubled: count('doubled'),
    out_of_order: count('out_of_order'),
    unfinished: count('unfinished'),
  };
}

/** The report in lines: the findings, the figures, and the summary as JSON in the last line. */
export function linesOf(report: ChaosReport): string[] {
  const { findings, repeatedOnKafka, repeatedWebhooks, notLive, crashed } = report;
  return [
    ...findings.map(({ kind, what }) => `${kind}: ${what}`),
    `repeats, all of them handled once: ${repeatedOnKafka} on Kafka, ${repeatedWebhooks} webhooks`,
    `ended because they were not live: ${notLive.join(', ') || 'none'}; by themselves: ${crashed.join(', ') || 'none'}`,
    JSON.stringify(summaryOf(report)),
  ];
}
