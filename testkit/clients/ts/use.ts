// Uses the clients that openapi-typescript with openapi-fetch, and hey-api, made from a service's
// specifications.
import createClient from "openapi-fetch";
import type { paths as SupplyPaths } from "./supply.d.ts";
import type { paths as PetsPaths } from "./pets.d.ts";
import * as heySupply from "./supply/index.js";
import { client as supplyClient } from "./supply/client.gen.js";
import * as heyPets from "./pets/index.js";
import { client as petsClient } from "./pets/client.gen.js";

declare const process: { argv: string[]; exitCode: number };
const [, , supplyURL = "", petsURL = ""] = process.argv;

function check(holds: boolean, what: string) {
  if (!holds) {
    console.error(`does not hold: ${what}`);
    process.exitCode = 1;
  }
}
const exact = (amount: string | null) => amount !== null && /^[0-9]+(\.[0-9]+)?$/.test(amount);

const supply = createClient<SupplyPaths>({ baseUrl: supplyURL });
const pets = createClient<PetsPaths>({ baseUrl: petsURL });

const all = await supply.GET("/");
check(all.data !== undefined && all.data.every(t => exact(t.totalSupply)), "all tokens have exact amounts");
const one = await supply.GET("/{token}", { params: { path: { token: "jewel" } } });
check(one.data?.status === "demo", "a token has a status");
const figure = await supply.GET("/{token}/circulatingsupply",
  { params: { path: { token: "jewel" }, query: { format: "json" } } });
check(exact(typeof figure.data === "object" ? figure.data.result : null), "a figure is an exact amount");
const unknown = await supply.GET("/{token}", { params: { path: { token: "nothing" } } });
check(unknown.error?.status === 404 && (unknown.error.tokens?.length ?? 0) > 0, "an unknown token is a problem");
const batch = await pets.GET("/tokens", { params: { query: { ids: "1,2,999999999999" } } });
check(batch.data?.tokens.length === 2 && batch.data.missing.length === 1, "a batch has what there is");
const pet = await pets.GET("/token/{id}", { params: { path: { id: 1 } } });
check((pet.data?.attributes.length ?? 0) > 0, "a pet has attributes");
const picture = await pets.GET("/image/{id}", { params: { path: { id: 1 }, query: { frame: false } }, parseAs: "blob" });
check(picture.response.headers.get("content-type") === "image/png", "a picture without a frame is a PNG");

supplyClient.setConfig({ baseUrl: supplyURL });
petsClient.setConfig({ baseUrl: petsURL });
const path = { token: "jewel", id: 1, level: "entries", tile: "000", width: 1, log: "00000000" };
let operations = 0;
for (const sdk of [heySupply, heyPets]) {
  for (const [name, operation] of Object.entries(sdk)) {
    if (typeof operation !== "function") continue;
    const ask = operation as (o: object) => Promise<{ response: Response; data?: unknown; error?: unknown }>;
    const { response, data, error } = await ask({ path });
    check(response.status < 500 && (data !== undefined) !== (error !== undefined), `${name} answers ${response.status}`);
    operations++;
  }
}
const typed = await heySupply.oneToken({ path: { token: "jewel" } });
check(exact(typed.data?.circulatingSupply ?? null), "hey-api: a token has an exact amount");
const listing = await heyPets.tokens({ query: { limit: 3 } });
check(listing.data?.tokens.length === 3 && listing.data.next !== null, "hey-api: a listing has a page after it");
console.log(`${operations} operations`);
