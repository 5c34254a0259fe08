// Compiles src/*.sol to artifacts/*.json, one file for each contract that can
// be deployed: its ABI, creation code and runtime code. The output depends on
// the sources and the pinned compiler alone; artifacts.sum has the checksums of
// sources and artifacts. With a directory as argument the artifacts go there instead.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import solc from "solc";

const here = dirname(fileURLToPath(import.meta.url));
const target = process.argv[2] ?? join(here, "artifacts");

const sources = {};
for (const file of readdirSync(join(here, "src")).sort()) {
  if (file.endsWith(".sol")) sources[file] = { content: readFileSync(join(here, "src", file), "utf8") };
}

const output = JSON.parse(
  solc.compile(
    JSON.stringify({
      language: "Solidity",
      sources,
      settings: {
        evmVersion: "cancun",
        viaIR: true,
        optimizer: { enabled: true, runs: 200 },
        metadata: { bytecodeHash: "none", appendCBOR: false },
        outputSelection: { "*": { "*": ["abi", "evm.bytecode.object", "evm.deployedBytecode.object", "evm.methodIdentifiers"] } },
      },
    }),
  ),
);

const faults = (output.errors ?? []).filter((e) => e.severity !== "info");
for (const fault of faults) console.error(fault.formattedMessage);
if (faults.length > 0) process.exit(1);

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
for (const [file, contracts] of Object.entries(output.contracts)) {
  for (const [name, c] of Object.entries(contracts)) {
    if (!c.evm.bytecode.object) continue; // interfaces and abstract contracts
    const artifact = {
      contract: name,
      source: `src/${file}`,
      compiler: solc.version(),
      abi: c.abi,
      methods: c.evm.methodIdentifiers,
      bytecode: "0x" + c.evm.bytecode.object,
      deployedBytecode: "0x" + c.evm.deployedBytecode.object,
    };
    writeFileSync(join(target, `${name}.json`), JSON.stringify(artifact, null, 1) + "\n");
  }
}

if (!process.argv[2]) {
  const files = ["compile.mjs", "package-lock.json"];
  for (const dir of ["artifacts", "src"]) for (const file of readdirSync(join(here, dir)).sort()) files.push(`${dir}/${file}`);
  const sum = (file) => createHash("sha256").update(readFileSync(join(here, file))).digest("hex");
  writeFileSync(join(here, "artifacts.sum"), files.map((file) => `${sum(file)}  ${file}\n`).join(""));
}
