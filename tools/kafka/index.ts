export { brokerAnswers } from './broker-answers.ts';
export { BROKER_SETTINGS, asEnvironment } from './broker-settings.ts';
export { fetchJars, java, jarsOf, KAFKA_VERSION, whatIsMissing } from './jars.ts';
export { LocalKafka } from './local-kafka.ts';
