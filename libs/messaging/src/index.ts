export * from './database.port.ts';
