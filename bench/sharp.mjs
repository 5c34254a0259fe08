// Draws pictures with sharp, for comparison: node sharp.mjs JOBS MODE PARALLEL [OUT]
// JOBS is a JSON file {dir, grid, scale, layers: [{file}], pictures: [[[layer, x, y], …], …]}.
// MODE is plain or palette. Layers are decoded once, before the clock starts, as
// ours are. Each picture is composed on the grid, scaled by nearest neighbour and
// encoded. Prints {"pictures", "cpu", "wall", "bytes"}, times in microseconds.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';

const [jobsFile, mode, parallel, out] = process.argv.slice(2);
const jobs = JSON.parse(readFileSync(jobsFile));
sharp.cache(false);
sharp.concurrency(1); // a picture is too small for several threads, so pictures run side by side

const layers = await Promise.all(jobs.layers.map(async (file) => {
  const { data, info } = await sharp(join(jobs.dir, file)).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { input: data, raw: { width: info.width, height: info.height, channels: info.channels } };
}));
const size = jobs.grid * jobs.scale;
const clear = { create: { width: jobs.grid, height: jobs.grid, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } };
const encoding = mode === 'palette' ? { palette: true } : {};

async function draw(picture) {
  const composed = await sharp(clear)
    .composite(picture.map(([layer, left, top]) => ({ ...layers[layer], left, top })))
    .raw().toBuffer();
  return sharp(composed, { raw: { width: jobs.grid, height: jobs.grid, channels: 4 } })
    .resize(size, size, { kernel: 'nearest' })
    .png(encoding).toBuffer();
}

let next = 0;
let bytes = 0;
async function work() {
  while (next < jobs.pictures.length) {
    const i = next++;
    const png = await draw(jobs.pictures[i]);
    bytes += png.length;
    if (out) writeFileSync(join(out, `${i}.png`), png);
  }
}

if (out) mkdirSync(out, { recursive: true });
await draw(jobs.pictures[0]);
const cpu = process.cpuUsage();
const began = process.hrtime.bigint();
await Promise.all(Array.from({ length: Number(parallel) }, work));
const wall = Number(process.hrtime.bigint() - began) / 1000;
const used = process.cpuUsage(cpu);
console.log(JSON.stringify({ pictures: jobs.pictures.length, cpu: used.user + used.system, wall, bytes }));
