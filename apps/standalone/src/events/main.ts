import { SERVICES, type ServiceName } from '@fundrail/contracts';
import { eventsCommand } from '@fundrail/service-kit';
import { readConfig } from '../config.ts';
import { withDatabaseUrls } from '../database-urls.ts';
import { endWithHelp, refuseArguments, sentenceOf } from '../usage.ts';

const USAGE = `npm run events -- parked                            lists the events that could not be handled, of every service
npm run events -- replay <service> all|<event id>…  runs them again in the running product, or at its next start
npm run events -- discard <service> <event id>…     discards them for good; the events that wait behind them run`;

async function ask(service: ServiceName, args: readonly string[]): Promise<void> {
  const { code, line } = await eventsCommand({ name: service }, args, await withDatabaseUrls([service]));
  console.log(line);
  process.exitCode = code;
}

async function printParked(): Promise<void> {
  const { sandbox } = readConfig(process.env);
  for (const service of SERVICES.filter((name) => sandbox || name !== 'simulator'))
    await ask(service, ['parked']);
}

/** The service that a command names. Throws when it or its events are missing. */
function named(command: string, service: string | undefined, ids: readonly string[]): ServiceName {
  const known = SERVICES.find((name) => name === service);
  if (service !== undefined && !known)
    refuseArguments('events', `there is no service ${service}, but ${SERVICES.join(', ')}`);
  if (!known || ids.length === 0) refuseArguments('events', `what should ${command} take?`);
  return known;
}

endWithHelp(USAGE);
try {
  const [command, service, ...ids] = process.argv.slice(2);
  if (command === 'parked') await printParked();
  else if (command === 'replay' || command === 'discard')
    await ask(named(command, service, ids), [command, ...ids]);
  else
    refuseArguments(
      'events',
      command === undefined ? 'a command is missing' : `there is no command ${command}`,
    );
} catch (error) {
  console.error(sentenceOf(error));
  process.exitCode = 1;
}
