import { Logger } from '@nestjs/common';
import type { logCreator } from 'kafkajs';
import { OnceAMinute } from './once-a-minute.ts';

/**
 * What kafkajs says, as lines of the service's log. It tells the same fact on every try, so each text comes once a minute,
 * and as `debug`: the bus tells what matters itself (broker lost and back, consumer joined, crashed and restarted).
 */
export const kafkaLog: logCreator = () => {
  const logger = new Logger('kafkajs');
  const told = new OnceAMinute();
  return ({ namespace, log: { message } }) => {
    if (told.isDue(message)) logger.debug({ msg: message, part: namespace });
  };
};
