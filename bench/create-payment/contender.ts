import type { LoadResult } from '../lib/load.ts';

/** One of the three things measured. `run` makes `total` payments of one order each, after `warmup` uncounted ones. */
export interface Contender {
  /** Makes that many orders to pay, before anything is measured. */
  prepare(orders: number): Promise<void>;
  run(load: Load): Promise<LoadResult>;
  close(): Promise<void>;
}

export interface Load {
  readonly clients: number;
  readonly warmup: number;
  readonly total: number;
}
