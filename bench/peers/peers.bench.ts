import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { whatIsMissing } from '../../tools/kafka/index.ts';
import { IS_SMALLEST, size } from '../lib/size.ts';
import { compareDebezium, DEBEZIUM } from './debezium/debezium.ts';
import { compareDuePlans, type Queue } from './due-plans.ts';
import { installPeer } from './npm-package.ts';
import type { Comparison } from './turns.ts';

interface Peer {
  /** Fetches what it needs. Answers what is missing for that, or null. */
  readonly prepare: () => Promise<string | null>;
  /** Rows of a turn, unless others are asked for. */
  readonly rows: number;
  readonly compare: (rows: number) => Promise<Comparison>;
}

const queue = (name: Queue): Peer => ({
  prepare: () => installPeer(name),
  rows: size(20_000, 250),
  compare: (rows) => compareDuePlans(name, rows),
});

const PEERS: Readonly<Record<string, Peer>> = {
  'pg-boss': queue('pg-boss'),
  'graphile-worker': queue('graphile-worker'),
  // Connect needs some 100 000 events until it is compiled.
  debezium: { prepare: () => whatIsMissing(DEBEZIUM), rows: size(50_000, 250), compare: compareDebezium },
};
const NO_TIMES = 'processor time is read from /proc, which this system does not have';
/** The others' downloads are larger, and Debezium's Connect alone takes longer to start than this one's whole run. */
const SMALLEST = ['pg-boss'];

/**
 * Other programs for the same work, each set up as its own documentation recommends, in turn with ours: a plan's installment by queues
 * of jobs, the publishing of an outbox by Debezium. A peer whose tools are missing here is left out, with a line that names them.
 */
export async function peersBench(): Promise<object> {
  const { names, rows: wanted } = asked();
  const peers: Record<string, Comparison> = {};
  const left_out: Record<string, string> = {};
  for (const [name, peer] of Object.entries(PEERS).filter(([one]) => names.includes(one))) {
    const rows = wanted ?? peer.rows;
    const missing = existsSync('/proc/self/stat') ? await peer.prepare() : NO_TIMES;
    console.log(missing ? `${name} is left out: ${missing}` : `${name}: ${rows} rows a turn`);
    if (missing) left_out[name] = missing;
    else peers[name] = await peer.compare(rows);
  }
  printTable(peers);
  return { peers, left_out };
}

function asked(): { readonly names: readonly string[]; readonly rows: number | null } {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { only: { type: 'string' }, rows: { type: 'string' } },
  });
  const all = Object.keys(PEERS);
  if (values.only !== undefined && !all.includes(values.only))
    throw new Error(`there is no peer ${values.only}: ${all.join(', ')}`);
  const usual = IS_SMALLEST ? SMALLEST : all;
  return {
    names: values.only === undefined ? usual : [values.only],
    rows: values.rows === undefined ? null : Number(values.rows),
  };
}

function printTable(peers: Readonly<Record<string, Comparison>>): void {
  const rows = Object.entries(peers).map(([name, compared]) => [
    name,
    {
      'ours/s': compared.ours_ps,
      'peer/s': compared.peer_ps,
      'times the rate': compared.times_rate,
      'ours µs': compared.ours_cpu_us,
      'peer µs': compared.peer_cpu_us,
      'times the processor': compared.times_cpu,
      load: compared.load,
    },
  ]);
  console.table(Object.fromEntries(rows));
}
