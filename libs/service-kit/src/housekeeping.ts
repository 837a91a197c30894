export * from './housekeeping/forget-old-rows.ts';
export * from './housekeeping/housekeeping-lane.ts';
