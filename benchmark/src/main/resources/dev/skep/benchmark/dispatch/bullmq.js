// The peer: one queue, one worker with the given concurrency, jobs added beforehand.
// Prints completed jobs per second. Usage: node bullmq.js PORT JOBS CONCURRENCY
const { Queue, Worker } = require('bullmq');
const [port, jobs, concurrency] = process.argv.slice(2).map(Number);
const connection = { host: '127.0.0.1', port };

async function main() {
  const queue = new Queue('bench', { connection });
  for (let added = 0; added < jobs; added += 1000) {
    const batch = Array.from({ length: Math.min(1000, jobs - added) }, (_, i) => ({
      name: 'shell', data: { command: 'true', n: added + i }, opts: { removeOnComplete: false } }));
    await queue.addBulk(batch);
  }
  let done = 0;
  const warm = Math.floor(jobs / 10);
  let from = 0;
  await new Promise((resolve) => {
    const worker = new Worker('bench', async () => ({ ok: 1 }), {
      connection, concurrency, limiter: { max: 1000000000, duration: 60000 } });
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
