import { readFileSync } from 'node:fs';
import { processesOf, type Part } from './cpu-time.ts';

const KB_PER_MB = 1024;

/** Memory of a process over a run, in MB; zeros where there is no `/proc`. */
export interface Memory {
  readonly start: number;
  /** After the first quarter of the run: what a run needs from then on should not grow with it. */
  readonly quarter: number;
  readonly end: number;
  readonly peak: number;
}

/** Samples a process's resident memory four times per second until the run ends. */
export function watchMemory({ pid }: Part): { stop(): Memory } {
  const seen = [residentMb(pid)];
  const timer = setInterval(() => seen.push(residentMb(pid)), 250);
  return {
    stop: () => {
      clearInterval(timer);
      seen.push(residentMb(pid));
      const at = (share: number) => Math.round(seen[Math.floor((seen.length - 1) * share)] ?? 0);
      return { start: at(0), quarter: at(0.25), end: at(1), peak: Math.round(Math.max(...seen)) };
    },
  };
}

/** Resident memory of a process in MB; 0 where there is no `/proc`, or no such process. */
export function residentMb(pid: number): number {
  return fieldMb(`/proc/${pid}/status`, 'VmRSS');
}

function fieldMb(file: string, field: string): number {
  try {
    const [, kb = '0'] = new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(file, 'utf8')) ?? [];
    return Number(kb) / KB_PER_MB;
  } catch {
    return 0;
  }
}

/** Memory of a part in MB, pages that several of its processes share counted once; 0 where there is no `/proc`. */
export function memoryMb(part: Part): number {
  if (!part.withChildren) return Math.round(residentMb(part.pid));
  const shares = processesOf(part).map((pid) => fieldMb(`/proc/${pid}/smaps_rollup`, 'Pss'));
  return Math.round(shares.reduce((sum, mb) => sum + mb, 0));
}
