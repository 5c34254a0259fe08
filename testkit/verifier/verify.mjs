// A verifier of a service's log, written from docs/FORMATS.md alone, in another language than the
// program: node verify.mjs SUPPLY_URL. It checks the signature of the checkpoint, every leaf and
// hash against the root, and the order of leaves. Of each token's newest snapshot it checks the
// evidence, ledger, inclusion, document and bare figure. It does not ask a node, so it believes what
// calls returned. It prints a line for each token, and fails if something is wrong.
import { createHash, createPublicKey, verify } from 'node:crypto'
import assert from 'node:assert/strict'

const base = process.argv[2].replace(/\/$/, '')
const get = async path => {
  const answer = await fetch(base + path)
  assert.ok(answer.ok, `${path}: ${answer.status}`)
  return Buffer.from(await answer.arrayBuffer())
}
const sha256 = (...parts) => createHash('sha256').update(Buffer.concat(parts)).digest()
const leafHash = leaf => sha256(Buffer.from([0]), leaf)
const inner = (left, right) => sha256(Buffer.from([1]), left, right)
const decoded = text => {
  const bytes = Buffer.from(text, 'base64') // ignores what is not base64
  assert.equal(bytes.toString('base64'), text)
  return bytes
}
const escape = (text, characters) =>
  text.replace(characters, c => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'))
const hashedText = value => escape(JSON.stringify(value), /[\u2028\u2029]/g)

// The checkpoint: a note whose signature begins with the hash of the key.
const key = (await get('/log/key')).toString().trim()
const [name, address] = key.split('+')
const [text, signatures] = (await get('/log/checkpoint')).toString().split('\n\n')
const [origin, size, root] = text.split('\n').map((line, i) => (i === 1 ? Number(line) : line))
assert.equal(origin, name)
const own = signatures.split('\n').find(line => line.startsWith(`— ${name} `))
const signature = decoded(own.slice(`— ${name} `.length))
const public32 = decoded(key.slice(name.length + 1 + address.length + 1))
assert.equal(public32[0], 1) // Ed25519
assert.equal(signature.subarray(0, 4).toString('hex'), address)
assert.equal(sha256(Buffer.from(name + '\n'), public32).subarray(0, 4).toString('hex'), address)
const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), public32.subarray(1)])
const ed25519 = createPublicKey({ key: der, format: 'der', type: 'spki' })
assert.ok(verify(null, Buffer.from(text + '\n'), ed25519, signature.subarray(4)), 'signature')

// Tiles are read at the log's own address.
const tilePath = n => {
  let path = String(n % 1000).padStart(3, '0')
  for (n = Math.floor(n / 1000); n > 0; n = Math.floor(n / 1000)) path = `x${String(n % 1000).padStart(3, '0')}/${path}`
  return path
}
const tiles = async level => {
  const parts = []
  for (let first = 0; first < size; first += 256) {
    const width = Math.min(256, size - first)
    parts.push(await get(`/log/${address}/tile/${level}/${tilePath(first / 256)}${width < 256 ? `.p/${width}` : ''}`))
  }
  return Buffer.concat(parts)
}
const leaves = []
for (let rest = await tiles('entries'); rest.length > 0;) {
  const end = 2 + rest.readUInt16BE(0)
  leaves.push(rest.subarray(2, end))
  rest = rest.subarray(end)
}
assert.equal(leaves.length, size)
const hashes = leaves.map(leafHash)
assert.deepEqual(await tiles('0'), Buffer.concat(hashes))
const treeHash = list => {
  if (list.length === 1) return list[0]
  let half = 1
  while (half * 2 < list.length) half *= 2
  return inner(treeHash(list.slice(0, half)), treeHash(list.slice(half)))
}
assert.equal(treeHash(hashes).toString('base64'), root)

// The leaves in their order.
const kinds = ['right', 'wrong', 'accept']
const figuresOf = ({ ledger, totalSupply, circulatingSupply, burnedSupply, lockedSupply, reservedSupply }) =>
  [ledger, totalSupply, circulatingSupply, burnedSupply, lockedSupply, reservedSupply].join()
const newest = new Map(), announced = new Set(), unused = new Map(), corrections = new Map()
leaves.forEach((leaf, i) => {
  const said = JSON.parse(leaf)
  assert.equal(hashedText(said), leaf.toString())
  assert.equal(said.format === 'petsupply-log/1', i === 0)
  const before = newest.get(said.token)
  switch (said.format) {
    case 'petsupply-log/1':
      assert.equal(said.origin, name)
      break
    case 'petsupply-ledger/1':
      assert.ok(!announced.has(said.token + said.ledger) && !unused.has(said.token))
      announced.add(said.token + said.ledger)
      if (before) unused.set(said.token, said.ledger)
      break
    case 'petsupply-decision/1':
      assert.ok(kinds.includes(said.kind))
      if (said.kind === 'accept') {
        assert.ok(['heights', 'decimals'].includes(said.subject))
      } else if (said.kind === 'right') {
        corrections.delete(said.subject)
      } else {
        const earlier = before && said.subject !== before.id && before.row.slice(-21).includes(said.subject)
        assert.ok(!earlier || corrections.has(before.id))
        corrections.set(said.subject, { reason: said.reason, at: said.at })
      }
      break
    case 'petsupply-snapshot/1':
      assert.ok(announced.has(said.token + said.ledger))
      assert.equal(unused.get(said.token) ?? said.ledger, said.ledger)
      unused.delete(said.token)
      if (before) {
        const [was, is, measured] = [before.said.asOf, said.asOf, said.measuredAt].map(time => Date.parse(time))
        assert.equal(said.previous, before.id)
        assert.ok(is >= was || was > measured)
      }
      const same = before && figuresOf(before.said) === figuresOf(said)
      assert.ok(!same || !corrections.has(before.id))
      const id = hashes[i].toString('hex')
      newest.set(said.token, { id, said, row: [...(same ? before.row : []), id] })
      break
    default:
      assert.fail(`unknown format ${said.format}`)
  }
})
assert.equal(unused.size, 0)

// The answers that are served now.
for (const [token, { id, said }] of newest) {
  const { snapshot, inclusion, correction, ...evidence } = JSON.parse(await get(`/${token}/evidence`))
  assert.equal(snapshot, id)
  assert.equal(sha256(Buffer.from(hashedText(evidence))).toString('hex'), said.evidence)
  const { decimals, maxSupply, bridges, entries } = evidence
  const ledger = JSON.stringify({ token, decimals, maxSupply, bridges, entries: entries.map(e => e.entry) })
  assert.equal(sha256(Buffer.from(escape(ledger, /[<>&\u2028\u2029]/g))).toString('hex'), said.ledger)
  recompute(evidence)
  included(inclusion, Buffer.from(id, 'hex'))
  assert.deepEqual(correction, corrections.get(id))
  if (correction) { // the figures are withdrawn
    assert.equal((await fetch(`${base}/${token}/totalsupply`)).status, 503)
    console.log(`${token} is withdrawn: ${correction.reason}`)
    continue
  }
  const { name, status, ...document } = JSON.parse(await get(`/${token}`))
  const { symbol, asOf, measuredAt, figures } = evidence
  assert.equal(JSON.stringify(document), JSON.stringify({ symbol, decimals, ...figures, maxSupply, asOf, measuredAt,
    snapshot: id, ledger: said.ledger, blocks: evidence.chains }))
  assert.equal(hashedText({ format: 'petsupply-snapshot/1', token, asOf, measuredAt, ...figures, maxSupply,
    blocks: evidence.chains, ledger: said.ledger, evidence: said.evidence, previous: evidence.previous ?? '' }),
  hashedText(said))
  assert.equal((await get(`/${token}/totalsupply`)).toString(), said.totalSupply)
  console.log(`${token} holds: ${id}`)
}

// included checks a C2SP tlog-proof as RFC 9162, 2.1.3.2, describes it.
function included(proof, hash) {
  const end = proof.indexOf('\n\n')
  const [format, index, ...path] = proof.slice(0, end).split('\n')
  const [, count, want] = proof.slice(end + 2).split('\n')
  assert.equal(format, 'c2sp.org/tlog-proof@v1')
  let at = Number(index.slice('index '.length)), last = Number(count) - 1
  for (const line of path) {
    assert.ok(last > 0)
    const other = decoded(line)
    if (at % 2 === 1 || at === last) {
      hash = inner(other, hash)
      while (at % 2 === 0 && at > 0) [at, last] = [at >> 1, last >> 1]
    } else {
      hash = inner(hash, other)
    }
    [at, last] = [at >> 1, last >> 1]
  }
  assert.equal(last, 0)
  assert.equal(hash.toString('base64'), want)
}

// recompute computes amounts and figures from what the calls returned. It computes with units of
// 10^-77, so that every amount is a whole number.
function recompute(evidence) {
  const units = text => BigInt(text.split('.')[0] + (text.split('.')[1] ?? '').padEnd(77, '0'))
  const one = decimals => 10n ** BigInt(77 - decimals)
  const sums = { issued: 0n, escrowed: 0n, burned: 0n, locked: 0n, reserved: 0n }
  const bridges = {}
  for (const x of evidence.entries) {
    const { bucket, bridge, share, amount } = x.entry
    const source = share?.of ?? x.entry
    let decimals = source.decimals ?? evidence.decimals, exact
    if (source.erc20) {
      decimals = Number(BigInt(x.decimalsReturn))
      const holder = source.holder?.slice(2).toLowerCase().padStart(64, '0')
      assert.equal(x.calldata, holder ? '0x70a08231' + holder : '0x18160ddd')
    }
    if (source.native) decimals = 18
    if (amount) {
      exact = units(amount)
    } else {
      assert.equal(x.contract, (source.erc20 ?? source.native ?? source.to).toLowerCase())
      let value = BigInt(x.return)
      if (share) {
        const total = BigInt(x.sharesTotalReturn)
        value = total > 0n ? value * BigInt(x.sharesReturn) / total : 0n
      }
      exact = value * one(decimals)
    }
    assert.equal(x.decimals, decimals)
    assert.equal(units(x.amount), exact - exact % one(evidence.decimals))
    const remote = bucket === 'issued' && evidence.bridges[bridge]?.count === 'source'
    assert.equal(x.counted, bucket !== 'escrowed' && !remote)
    if (x.counted) sums[bucket] += units(x.amount)
    if (remote) bridges[bridge] = (bridges[bridge] ?? 0n) + exact
    if (bucket === 'escrowed') bridges[bridge] = (bridges[bridge] ?? 0n) - exact
  }
  const total = sums.issued - sums.burned, circulating = total - sums.locked - sums.reserved
  const figures = [total, circulating, sums.burned, sums.locked, sums.reserved]
  assert.deepEqual(Object.values(evidence.figures).map(units), figures)
  assert.ok(circulating > 0n && circulating <= total)
  if (evidence.maxSupply) assert.ok(total <= units(evidence.maxSupply))
  for (const [name, over] of Object.entries(bridges)) assert.ok(over <= units(evidence.bridges[name].slack ?? '0'))
}
