// Reads balances one by one with ethers, for comparison: node ethers.mjs JOBS ROUNDS
// JOBS is a JSON file of {url, token, holders} for each chain. The chains are read
// side by side, the calls of a chain one after the other, all at one block. Prints
// {"milliseconds": […], "sum": "…"}.
import { readFileSync } from 'node:fs';
import { Contract, JsonRpcProvider, Network } from 'ethers';

const [file, rounds] = process.argv.slice(2);
const jobs = JSON.parse(readFileSync(file));
const abi = ['function balanceOf(address) view returns (uint256)', 'function decimals() view returns (uint8)'];

async function read({ url, chain, token, holders }) {
  const provider = new JsonRpcProvider(url, Network.from(chain), { staticNetwork: true, batchMaxCount: 1, cacheTimeout: -1 });
  const contract = new Contract(token, abi, provider);
  const blockTag = (await provider.getBlock('latest')).number;
  await contract.decimals({ blockTag });
  let sum = 0n;
  for (const holder of holders) sum += await contract.balanceOf(holder, { blockTag });
  provider.destroy();
  return sum;
}

const milliseconds = [];
let sum = 0n;
for (let i = 0; i < Number(rounds); i++) {
  const began = performance.now();
  const sums = await Promise.all(jobs.map(read));
  milliseconds.push(performance.now() - began);
  sum = sums.reduce((a, b) => a + b, 0n);
}
console.log(JSON.stringify({ milliseconds, sum: sum.toString() }));
