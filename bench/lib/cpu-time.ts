import { readdirSync, readFileSync } from 'node:fs';

// Linux counts processor time in ticks of 10 ms (USER_HZ, fixed at 100 for every program).
const MS_PER_TICK = 10;

/** A part of what is measured, and the processes that do its work. */
export interface Part {
  readonly name: string;
  readonly pid: number;
  /** Whether the process's children count too: PostgreSQL has one a connection. */
  readonly withChildren: boolean;
}

/** This process, which drives the load. */
export function thisProcess(name: string): Part {
  return { name, pid: process.pid, withChildren: false };
}

/**
 * Measures from now on what the parts use of the processor. The result gives it in words: the microseconds of each part, divided by a
 * count, without the parts that used none.
 */
export function meterCpu(parts: readonly Part[]): (count: number) => string {
  const used = meterCpuMs(parts);
  return (count) =>
    Object.entries(used(count))
      .map(([name, ms]) => ({ name, us: Math.round(ms * 1000) }))
      .filter(({ us }) => us > 0)
      .map(({ name, us }) => `${name} ${us}`)
      .join(', ');
}

/** The same as numbers: the milliseconds of each part, divided by the count, to the thousandth. */
export function meterCpuMs(parts: readonly Part[]): (count: number) => Record<string, number> {
  const before = cpuTimes(parts);
  const thousandths = (ms: number) => Math.round(ms * 1000) / 1000;
  return (count) =>
    Object.fromEntries(
      [...cpuTimes(parts)].map(([name, ms]) => [name, thousandths((ms - (before.get(name) ?? 0)) / count)]),
    );
}

/** Processor milliseconds that each part has used so far; empty where there is no `/proc`. */
export function cpuTimes(parts: readonly Part[]): Map<string, number> {
  const all = readAll();
  const times = new Map<string, number>();
  for (const part of parts) {
    const own = all.filter((process) => isOf(part, process));
    const ticks = own.reduce((sum, process) => sum + process.ticks, 0);
    if (own.length > 0) times.set(part.name, (times.get(part.name) ?? 0) + ticks * MS_PER_TICK);
  }
  return times;
}

/** The ids of its processes that run now; none where there is no `/proc`. */
export function processesOf(part: Part): number[] {
  return readAll()
    .filter((process) => isOf(part, process))
    .map(({ pid }) => pid);
}

function isOf(part: Part, { pid, parent }: ProcessTime): boolean {
  return pid === part.pid || (part.withChildren && parent === part.pid);
}

interface ProcessTime {
  readonly pid: number;
  readonly parent: number;
  readonly ticks: number;
}

function readAll(): ProcessTime[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => readOne(Number(name)));
  } catch {
    return [];
  }
}

/**
 * The fields behind the name in parentheses: state, parent, …, user and system ticks (12th, 13th), and those of children that
 * have ended (14th, 15th), as a connection's process of PostgreSQL does when it is closed. See proc(5).
 */
function readOne(pid: number): ProcessTime[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return [
      {
        pid,
        parent: Number(fields[1]),
        ticks: fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0),
      },
    ];
  } catch {
    return []; // It ended meanwhile.
  }
}
