export * from './model-commands.ts';
export * from './model-replay.ts';
