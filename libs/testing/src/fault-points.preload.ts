// Loaded by `node --import` in crash tests only: gives the fault points of the code their effect (service-kit `faultPoint`).
// FAULT_FILE is the file of a `FaultSwitch`. It is read at every fault point, so a running process can be armed. `kill` is
// SIGKILL; `stall` holds that one call until the process receives SIGUSR2.
import { readFileSync, writeSync } from 'node:fs';

const file = process.env['FAULT_FILE'] ?? '';
let armed = '';
let passes = 0;

/** The fault in the file. Passes are counted from the moment at which it was armed. */
function fault(): { readonly point?: string; readonly pass?: number; readonly action?: string } {
  const text = readFileSync(file, 'utf8');
  if (text !== armed) passes = 0;
  armed = text;
  return JSON.parse(text) as ReturnType<typeof fault>;
}

function strike(name: string): Promise<void> | undefined {
  const { point, pass, action } = fault();
  if (name !== point || ++passes !== pass) return undefined;
  writeSync(2, `fault point ${name}: ${action}\n`);
  if (action === 'kill') process.kill(process.pid, 'SIGKILL');
  return new Promise((resume) => process.once('SIGUSR2', () => resume()));
}

Reflect.set(globalThis, Symbol.for('fundrail.faultPoint'), strike);
