// npm run kafka -- start [port] | stop [port] | status [port] | wipe [port]
import { fileURLToPath } from 'node:url';
import { endWithHelp, refuseArguments } from '../../apps/standalone/src/usage.ts';
import { brokerAnswers } from './broker-answers.ts';
import { KAFKA_VERSION } from './jars.ts';
import { LocalKafka } from './local-kafka.ts';

/** The controller takes the port after it. */
const LAST_PORT = 65_534;

const USAGE = `One Kafka ${KAFKA_VERSION} broker on this machine, without Docker. Needs Java 17 and, the first time, Maven.

  npm run kafka -- start  [port]   start it and wait until it answers
  npm run kafka -- stop   [port]   end it; its topics stay
  npm run kafka -- status [port]   where it is; exit code 1 when it does not answer
  npm run kafka -- wipe   [port]   end it and delete its topics

The port is 9092 unless given; the one after it is taken too. Data and log are in .fundrail/kafka-<port>.`;

async function status(kafka: LocalKafka): Promise<string> {
  const pid = kafka.pid();
  if (pid === null) throw new Error(`not running on ${kafka.broker}`);
  if (!(await brokerAnswers('127.0.0.1', kafka.port)))
    throw new Error(`process ${pid} does not answer on ${kafka.broker}, see ${kafka.log}`);
  return `kafka ${KAFKA_VERSION} answers on ${kafka.broker}, process ${pid}, log ${kafka.log}`;
}

const COMMANDS: Readonly<Record<string, (kafka: LocalKafka) => Promise<string>>> = {
  start: (kafka) => kafka.start().then(() => status(kafka)),
  stop: (kafka) => kafka.stop().then(() => `not running on ${kafka.broker}`),
  status,
  wipe: (kafka) => kafka.wipe().then(() => `no broker and no topics on ${kafka.broker}`),
};

endWithHelp(USAGE);
const [command = '', port = '9092'] = process.argv.slice(2);
const act = COMMANDS[command];
if (!act || !/^[1-9]\d*$/.test(port) || Number(port) > LAST_PORT) {
  refuseArguments('kafka', `not understood: ${process.argv.slice(2).join(' ') || 'no command'}`);
} else {
  const directory = fileURLToPath(new URL(`../../.fundrail/kafka-${port}`, import.meta.url));
  try {
    console.log(await act(new LocalKafka({ port: Number(port), directory })));
  } catch (error) {
    console.error(`kafka: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
