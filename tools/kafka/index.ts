export { brokerAnswers } from './broker-answers.ts';
export { BROKER_SETTINGS, asEnvironment } from './broker-settings.ts';
export { KAFKA_VERSION, whatIsMissing } from './jars.ts';
export { LocalKafka } from './local-kafka.ts';
