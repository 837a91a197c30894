import { Logger } from '@nestjs/common';
import type { logCreator } from 'kafkajs';
import { OnceAMinute } from './once-a-minute.ts';

/**
 * Writes the log of kafkajs to the service's log. kafkajs repeats the same text on every try, so each text is logged once per
 * minute, as `debug`. The bus itself logs what matters (broker lost and back, consumer joined, crashed and restarted).
 */
export const kafkaLog: logCreator = () => {
  const logger = new Logger('kafkajs');
  const logged = new OnceAMinute();
  return ({ namespace, log: { message } }) => {
    if (logged.isDue(message)) logger.debug({ msg: message, part: namespace });
  };
};
