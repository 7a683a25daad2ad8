// The peer: one queue, one worker with the given concurrency, jobs added beforehand. With a database, each run's
// start and end are recorded there before it goes on, what waits together in one statement.
// Prints completed jobs per second after the first WARM. Usage: node bullmq.js PORT JOBS CONCURRENCY WARM [POSTGRES_URL]
const { Queue, Worker } = require('bullmq');
const [port, jobs, concurrency, warm] = process.argv.slice(2, 6).map(Number);
const database = process.argv[6];
const connection = { host: '127.0.0.1', port };

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
  const queue = new Queue('bench', { connection });
  for (let added = 0; added < jobs; added += 1000) {
    const batch = Array.from({ length: Math.min(1000, jobs - added) }, (_, i) => ({
      name: 'shell', data: { command: 'true', n: added + i }, opts: { removeOnComplete: false } }));
    await queue.addBulk(batch);
  }
  let done = 0;
  let from = 0;
  await new Promise((resolve) => {
    const worker = new Worker('bench', async (job) => {
      await started(job.id);
      await ended(job.id);
      return { ok: 1 };
    }, { connection, concurrency, limiter: { max: 1000000000, duration: 60000 } });
    worker.on('completed', () => {
      done += 1;
      if (done === warm) from = performance.now();
      if (done === jobs) resolve();
    });
  });
  console.log(((jobs - warm) / (performance.now() - from)) * 1000);
  process.exit(0);
}
main();
