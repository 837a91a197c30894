export * from './housekeeping/housekeeping-lane.ts';
