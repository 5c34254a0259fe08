// frames.mjs FILE… plays moving PNGs with upng-js: for each file one line of
// JSON, a list of [milliseconds, SHA-256 of the frame's RGBA bytes]. All
// fully transparent pixels are equal.
import {createHash} from "node:crypto";
import {readFileSync} from "node:fs";
import UPNG from "upng-js";

for (const name of process.argv.slice(2)) {
  const bytes = readFileSync(name);
  const png = UPNG.decode(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  const frames = UPNG.toRGBA8(png).map((buffer, i) => {
    const pixels = new Uint32Array(buffer);
    for (let k = 0; k < pixels.length; k++) {
      if (pixels[k] >>> 24 === 0) pixels[k] = 0;
    }
    return [png.frames[i].delay, createHash("sha256").update(new Uint8Array(buffer)).digest("hex")];
  });
  console.log(JSON.stringify(frames));
}
