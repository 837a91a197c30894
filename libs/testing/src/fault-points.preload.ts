// Loaded by `node --import` in crash tests only: gives the fault points of the code their effect (service-kit `faultPoint`).
// FAULT_POINT is the name, FAULT_COUNT the pass at which it strikes (1), FAULT_ACTION `kill` (SIGKILL) or `stall`, which
// holds that one call until the process gets SIGUSR2.
import { writeSync } from 'node:fs';

const { FAULT_POINT: target, FAULT_COUNT: count = '1', FAULT_ACTION: action = 'kill' } = process.env;
let passes = 0;

function strike(name: string): Promise<void> | undefined {
  if (name !== target || ++passes !== Number(count)) return undefined;
  writeSync(2, `fault point ${name}: ${action}\n`);
  if (action === 'kill') process.kill(process.pid, 'SIGKILL');
  return new Promise((resume) => process.once('SIGUSR2', () => resume()));
}

Reflect.set(globalThis, Symbol.for('fundrail.faultPoint'), strike);
