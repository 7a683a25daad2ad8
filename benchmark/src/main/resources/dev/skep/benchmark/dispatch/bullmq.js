// The peer: jobs added beforehand, one process, as many at once as there are hosts times AT_ONCE. BullMQ's free core
// limits queues and not groups within one, so limits per host take a queue and a worker per host (one queue for all
// of them is no faster). With a database, each run's start and end are recorded there before it goes on, what waits
// together in one statement. Prints completed jobs per second after the first WARM.
// Usage: node bullmq.js PORT JOBS WARM HOSTS AT_ONCE [POSTGRES_URL]
const { Queue, Worker } = require('bullmq');
const IORedis = require('ioredis');
const [port, jobs, warm, hosts, atOnce] = process.argv.slice(2, 7).map(Number);
const database = process.argv[7];
const connection = new IORedis(port, '127.0.0.1', { maxRetriesPerRequest: null });

async function recorder(sql) {
  if (!database) return async () => {};
  const { Client } = require('pg');
  const client = new Client({ connectionString: database });
  await client.connect();
  await client.query('CREATE TABLE IF NOT EXISTS runs (id TEXT PRIMARY KEY, status TEXT, started_at TIMESTAMPTZ, ended_at TIMESTAMPTZ)');
  let waiting = [];
  let busy = false;
  async function flush() {
    if (busy) return;
    busy = true;
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      await client.query({ name: 'record', text: sql, values: [group.map((each) => each.id)] });
      group.forEach((each) => each.resolve());
    }
    busy = false;
  }
  return (id) => new Promise((resolve) => { waiting.push({ id, resolve }); flush(); });
}

async function main() {
  const started = await recorder("INSERT INTO runs (id, status, started_at) SELECT unnest($1::text[]), 'running', now()");
  const ended = await recorder("UPDATE runs SET status = 'succeeded', ended_at = now() WHERE id = ANY($1::text[])");
  const names = Array.from({ length: hosts }, (_, host) => `host${host}`);
  for (const [host, name] of names.entries()) {
    const queue = new Queue(name, { connection });
    const numbers = [];
    for (let n = host; n < jobs; n += hosts) numbers.push(n);
    for (let added = 0; added < numbers.length; added += 1000) {
      await queue.addBulk(numbers.slice(added, added + 1000).map((n) => ({
        name: 'shell', data: { command: 'true', n }, opts: { removeOnComplete: false } })));
    }
  }
  let done = 0;
  let from = 0;
  await new Promise((resolve) => {
    for (const name of names) {
      const worker = new Worker(name, async (job) => {
        const id = `${name}-${job.id}`;
        await started(id);
        await ended(id);
        return { ok: 1 };
      }, { connection, concurrency: atOnce, limiter: { max: 100000000, duration: 60000 } });
      worker.on('completed', () => {
        done += 1;
        if (done === warm) from = performance.now();
        if (done === jobs) resolve();
      });
    }
  });
  console.log(((jobs - warm) / (performance.now() - from)) * 1000);
  process.exit(0);
}
main();
