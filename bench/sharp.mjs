// Encodes pictures with sharp, for comparison: node sharp.mjs DIR PICTURES
// DIR has the pixels of square pictures, in files named 0, 1, …. They are read before the clock
// starts. Prints {"cpu", "bytes"}, the time in microseconds.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';

const [dir, pictures] = process.argv.slice(2);
sharp.cache(false);
sharp.concurrency(1); // a picture is too small for several threads
const all = Array.from({ length: Number(pictures) }, (_, i) => readFileSync(join(dir, String(i))));

function encode(pixels) {
  const size = Math.sqrt(pixels.length / 4);
  return sharp(pixels, { raw: { width: size, height: size, channels: 4 } }).png({ palette: true }).toBuffer();
}

await encode(all[0]);
const began = process.cpuUsage();
let bytes = 0;
for (const pixels of all) bytes += (await encode(pixels)).length;
const used = process.cpuUsage(began);
console.log(JSON.stringify({ cpu: used.user + used.system, bytes }));
