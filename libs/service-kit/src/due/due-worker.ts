export class DueWorker {}
