CREATE TABLE public.decision (
    id text NOT NULL,
    kind text NOT NULL,
    token text NOT NULL,
    subject text NOT NULL,
    reason text NOT NULL,
    asked bigint NOT NULL,
    decided bigint NOT NULL,
    granted bigint NOT NULL
);


CREATE TABLE public.lease (
    name text NOT NULL,
    holder text NOT NULL,
    epoch bigint NOT NULL,
    expires bigint NOT NULL
);


CREATE TABLE public.ledger (
    token text NOT NULL,
    hash text NOT NULL,
    since bigint NOT NULL,
    document text NOT NULL
);


CREATE TABLE public.pet (
    id bigint NOT NULL,
    block bigint NOT NULL,
    changed_at bigint NOT NULL,
    since_block bigint NOT NULL,
    arrived_at bigint NOT NULL,
    here smallint NOT NULL,
    presence smallint NOT NULL,
    in_transit smallint NOT NULL,
    realm text NOT NULL,
    owner bytea NOT NULL,
    name bytea NOT NULL,
    traits bytea NOT NULL,
    f1 bigint,
    f2 bigint,
    f3 bigint,
    f4 bigint,
    f5 bigint,
    f6 bigint,
    f7 bigint,
    f8 bigint,
    f9 bigint,
    f10 bigint,
    f11 bigint,
    f12 bigint
);


CREATE TABLE public.pet_change (
    seq bigint NOT NULL,
    id bigint NOT NULL,
    block_time bigint NOT NULL,
    block bigint NOT NULL,
    realm text NOT NULL,
    kind text NOT NULL,
    fields text NOT NULL
);


CREATE TABLE public.pet_count (
    realm text NOT NULL,
    n1 bigint NOT NULL,
    n2 bigint NOT NULL,
    n3 bigint NOT NULL,
    n4 bigint NOT NULL,
    n5 bigint NOT NULL,
    n6 bigint NOT NULL,
    pets bigint NOT NULL
);


CREATE TABLE public.pet_import (
    id bigint NOT NULL,
    name bytea NOT NULL,
    traits bytea NOT NULL
);


CREATE TABLE public.pet_kind (
    n1 bigint NOT NULL,
    n2 bigint NOT NULL,
    n3 bigint NOT NULL,
    n4 bigint NOT NULL,
    n5 bigint NOT NULL,
    n6 bigint NOT NULL,
    pets bigint NOT NULL
);


CREATE TABLE public.pet_layout (
    version bigint NOT NULL,
    layout text NOT NULL
);


CREATE TABLE public.pet_listing (
    version bigint NOT NULL,
    getters text NOT NULL,
    fields text NOT NULL,
    below_id bigint NOT NULL
);


CREATE TABLE public.pet_mark (
    realm text NOT NULL,
    number bigint NOT NULL,
    block_time bigint NOT NULL,
    hash text NOT NULL,
    touched text NOT NULL
);


CREATE TABLE public.pet_realm (
    realm text NOT NULL,
    "position" text NOT NULL,
    reindex bigint NOT NULL
);


CREATE TABLE public.pet_unannounced (
    realm text NOT NULL
);


CREATE TABLE public.pet_wanted (
    realm text NOT NULL,
    id bigint NOT NULL,
    due bigint NOT NULL
);


CREATE TABLE public.pet_word (
    field text NOT NULL,
    number bigint NOT NULL,
    word bytea NOT NULL
);


CREATE TABLE public.proof (
    token text NOT NULL,
    snapshot text NOT NULL,
    taken bigint NOT NULL,
    hourly bigint NOT NULL,
    daily bigint NOT NULL,
    document text NOT NULL
);


CREATE TABLE public.proof_part (
    hash bytea NOT NULL,
    data bytea NOT NULL
);


CREATE TABLE public.proof_use (
    token text NOT NULL,
    snapshot text NOT NULL,
    chain bigint NOT NULL,
    kind text NOT NULL,
    hash bytea NOT NULL
);


CREATE TABLE public.publication (
    token text NOT NULL,
    clock bigint NOT NULL,
    "least" bigint NOT NULL,
    number bigint NOT NULL,
    hash text NOT NULL
);


CREATE TABLE public.published (
    token text NOT NULL,
    seq bigint NOT NULL,
    record text NOT NULL
);


CREATE TABLE public.reading (
    token text NOT NULL,
    kind text NOT NULL,
    number bigint NOT NULL,
    taken bigint NOT NULL,
    measured bigint NOT NULL,
    snapshot text NOT NULL,
    ledger text NOT NULL,
    total text NOT NULL,
    circulating text NOT NULL,
    burned text NOT NULL,
    locked text NOT NULL,
    reserved text NOT NULL,
    blocks text NOT NULL,
    daily bigint NOT NULL,
    evidence text
);


CREATE TABLE public.schema_fingerprint (
    fingerprint text NOT NULL
);


CREATE TABLE public.supply_event (
    token text NOT NULL,
    seq bigint NOT NULL,
    notice text NOT NULL
);


CREATE TABLE public.supply_notice (
    seq bigint NOT NULL,
    notice text NOT NULL
);


CREATE TABLE public.tlog (
    id bigint NOT NULL,
    origin text NOT NULL,
    verifier_key text NOT NULL,
    size bigint NOT NULL,
    signed bigint NOT NULL,
    checkpoint text NOT NULL
);


CREATE TABLE public.tlog_hash (
    log bigint NOT NULL,
    number bigint NOT NULL,
    level smallint NOT NULL,
    hash bytea NOT NULL
);


CREATE TABLE public.tlog_leaf (
    log bigint NOT NULL,
    number bigint NOT NULL,
    leaf bytea NOT NULL
);


CREATE TABLE public.webhook (
    name text NOT NULL,
    feed text NOT NULL,
    seq bigint NOT NULL,
    delivered bigint NOT NULL,
    refused bigint NOT NULL,
    ended text NOT NULL
);


CREATE TABLE public.webhook_aside (
    name text NOT NULL,
    id text NOT NULL,
    body text NOT NULL,
    since bigint NOT NULL
);


INSERT INTO public.decision VALUES
	('DMYBEWGTO3X47OVT7F3QOYB6VK', 'accept-heights', 'jade', '', 'a new chain', 1795095087106, 0, 0),
	('TYLNOLBRXXB4AEEG6433MUNYTC', 'correct', 'jewel', '6e3378ee9be11be03794b83096baa0b060ab46dcafab34c5f079af09a06e79f2', 'an entry was missing', 1795095087086, 1795095087088, 1);


INSERT INTO public.lease VALUES
	('leader', '', 1, 0);


INSERT INTO public.ledger VALUES
	('crystal', 'ecec7bb91e222b4e4a48b767c8092967179f57c07f057682cbad9e5e4393de1b', 1783123200000, '{"ledger":"ecec7bb91e222b4e4a48b767c8092967179f57c07f057682cbad9e5e4393de1b","since":"2026-07-04T00:00:00Z","decimals":18,"maxSupply":"250000000","bridges":{"relay":{"count":"sum","slack":"60000"}},"entries":[{"label":"In Emberreach","bucket":"issued","bridge":"relay","chain":"second","erc20":"0x3158cDD9b7067914944d1Ea2779c8B3364308B6d","since":"2022-05-01","reason":"Issued in Emberreach"},{"label":"In Cloudharbour","bucket":"issued","bridge":"relay","chain":"third","erc20":"0xc039c7fD580AE23AD1a2D8d1eB7BeEabf62964E3","since":"2024-07-12","reason":"The relay burns on one side and mints on the other, so both count"},{"label":"Dead address","bucket":"burned","chain":"second","erc20":"0x3158cDD9b7067914944d1Ea2779c8B3364308B6d","holder":"0x000000000000000000000000000000000000dEaD","since":"2022-05-01","reason":"Sent where nobody has the key"},{"label":"Time locks","bucket":"locked","chain":"second","call":"totalLock()","to":"0x3158cDD9b7067914944d1Ea2779c8B3364308B6d","since":"2022-05-01","reason":"Rewards that unlock a little every hour"},{"label":"Treasury","bucket":"reserved","chain":"second","erc20":"0x3158cDD9b7067914944d1Ea2779c8B3364308B6d","holder":"0x53b2e266BAF67C7D54aF36806e888914f7f6f47F","since":"2022-05-01","reason":"Funds that the council spends in public"}]}'),
	('jade', '3011e1c90d4002c62771b91d867a3a2adc9b63d8297fbae3e74efaef737b03af', 1783123200000, '{"ledger":"3011e1c90d4002c62771b91d867a3a2adc9b63d8297fbae3e74efaef737b03af","since":"2026-07-04T00:00:00Z","decimals":18,"maxSupply":"250000000","bridges":{},"entries":[{"label":"Minted","bucket":"issued","chain":"third","erc20":"0xD4C4cbD25e9Ab0E6278371F9201187588Eb86018","since":"2022-12-01","reason":"Issued in Cloudharbour"},{"label":"Dead address","bucket":"burned","chain":"third","erc20":"0xD4C4cbD25e9Ab0E6278371F9201187588Eb86018","holder":"0x000000000000000000000000000000000000dEaD","since":"2022-12-01","reason":"Sent where nobody has the key"},{"label":"Time locks","bucket":"locked","chain":"third","call":"totalLock()","to":"0xD4C4cbD25e9Ab0E6278371F9201187588Eb86018","since":"2022-12-01","reason":"Rewards that unlock a little every hour"},{"label":"Treasury","bucket":"reserved","chain":"third","erc20":"0xD4C4cbD25e9Ab0E6278371F9201187588Eb86018","holder":"0x53b2e266BAF67C7D54aF36806e888914f7f6f47F","since":"2022-12-01","reason":"Funds that the council spends in public"}]}'),
	('jewel', 'aa409287e9240f806a3909c563878ae40501cc4e90cca2f851dd41da6d96e531', 1783123200000, '{"ledger":"aa409287e9240f806a3909c563878ae40501cc4e90cca2f851dd41da6d96e531","since":"2026-07-04T00:00:00Z","decimals":18,"maxSupply":"125000000","bridges":{"portal":{"count":"source","slack":"5000"}},"entries":[{"label":"Minted","bucket":"issued","chain":"second","call":"totalMinted()","to":"0xe10A6aaEfB59B969A7A5a23b63A617eAf9518474","since":"2022-03-30","reason":"Everything that was ever minted, as the mint itself counts it"},{"label":"Held for Cloudharbour","bucket":"escrowed","bridge":"portal","chain":"second","native":"0x5e52B000Df3D855dff67B7726c9Be9DD0f52D806","since":"2024-07-12","reason":"Locked by the portal; minted again in Cloudharbour"},{"label":"In Cloudharbour","bucket":"issued","bridge":"portal","chain":"third","erc20":"0xD8f66352C37C2AED1Fb361FCc5bE617d2EFA2aC7","since":"2024-07-12","reason":"Stands for what the portal holds, so it is not counted again"},{"label":"Fees burned","bucket":"burned","chain":"second","call":"totalBurn()","to":"0x3fD3F4723707Cf9FAff8dAD6cFC95BED7e826a84","since":"2022-03-30","reason":"Half of every fee is burned"},{"label":"Vesting","bucket":"locked","chain":"second","call":"reservedToken()","to":"0xfDAB19A1FA89e75FfcAA29cAf8A0D09550B6d9E6","since":"2023-01-01","reason":"Unlocks a little with every block"},{"label":"Treasury","bucket":"reserved","chain":"second","native":"0x53b2e266BAF67C7D54aF36806e888914f7f6f47F","since":"2022-03-30","reason":"Funds that the council spends in public"},{"label":"Team grant","bucket":"reserved","amount":"2500000","since":"2024-01-01","reason":"Promised and not yet handed over; declared, not measured"}]}');


INSERT INTO public.pet VALUES
	(1, 0, 0, 0, 0, 1, 1, 1, 'first', '\x', '\x', '\x01ffff0300000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL),
	(1000000000001, 20, 1700000020000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x52656e616d6564', '\x01ffff0f00090000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL),
	(1000000000002, 20, 1700000020000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x', '\x01ffff0fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff', 255, 255, 255, 255, 255, 255, 255, 65535, 255, 1, -1, NULL),
	(1000000000003, 30, 1700000030000, 10, 1700000010000, 0, 1, 0, 'second', '\x00000000000000000000000000000000000000b1', '\x', '\x01ffff0f00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL),
	(1000000000004, 30, 1700000030000, 10, 1700000010000, 1, 1, 1, 'second', '\x00000000000000000000000000000000000000b1', '\x', '\x01ffff0f00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL),
	(1000000000005, 50, 1700000050000, 10, 1700000010000, 0, 0, 0, 'second', '\x', '\x5065742034', '\x01ffff0f00040100000000000000000000040000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 4, 1, 0, 0, 0, 0, 0, 4, 0, 0, 0, NULL),
	(1000000000006, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x5065742035', '\x01ffff0f00000200000000000000000000050000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 0, 2, 0, 0, 0, 0, 0, 5, 0, 0, 0, NULL),
	(1000000000007, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x5065742036', '\x01ffff0f00010000000000000000000000060000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 1, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, NULL),
	(1000000000008, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x5065742037', '\x01ffff0f00020100000000000000000000070000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 2, 1, 0, 0, 0, 0, 0, 7, 0, 0, 0, NULL),
	(1000000000009, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x5065742038', '\x01ffff0f00030200000000000000000000080000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 3, 2, 0, 0, 0, 0, 0, 8, 0, 0, 0, NULL),
	(1000000000010, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x5065742039', '\x01ffff0f00040000000000000000000000090000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 4, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, NULL),
	(1000000000011, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x506574203130', '\x01ffff0f000001000000000000000000000a0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 0, 1, 0, 0, 0, 0, 0, 10, 0, 0, 0, NULL),
	(1000000000012, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x506574203131', '\x01ffff0f000102000000000000000000000b0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 1, 2, 0, 0, 0, 0, 0, 11, 0, 0, 0, NULL),
	(1000000000013, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x506574203132', '\x01ffff0f000200000000000000000000000c0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 2, 0, 0, 0, 0, 0, 0, 12, 0, 0, 0, NULL),
	(1000000000014, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x506574203133', '\x01ffff0f000301000000000000000000000d0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 3, 1, 0, 0, 0, 0, 0, 13, 0, 0, 0, NULL),
	(1000000000015, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x506574203134', '\x01ffff0f000402000000000000000000000e0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 4, 2, 0, 0, 0, 0, 0, 14, 0, 0, 0, NULL),
	(1000000000016, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x506574203135', '\x01ffff0f000000000000000000000000000f0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 0, 0, 0, 0, 0, 0, 0, 15, 0, 0, 0, NULL),
	(1000000000017, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x506574203136', '\x01ffff0f00010100000000000000000000100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 1, 1, 0, 0, 0, 0, 0, 16, 0, 0, 0, NULL),
	(1000000000018, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x506574203137', '\x01ffff0f00020200000000000000000000110000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 2, 2, 0, 0, 0, 0, 0, 17, 0, 0, 0, NULL),
	(1000000000019, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x506574203138', '\x01ffff0f00030000000000000000000000120000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 3, 0, 0, 0, 0, 0, 0, 18, 0, 0, 0, NULL),
	(1000000000020, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x506574203139', '\x01ffff0f00040100000000000000000000130000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 4, 1, 0, 0, 0, 0, 0, 19, 0, 0, 0, NULL),
	(1000000000021, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x506574203230', '\x01ffff0f00000200000000000000000000140000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 0, 2, 0, 0, 0, 0, 0, 20, 0, 0, 0, NULL),
	(1000000000022, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x506574203231', '\x01ffff0f00010000000000000000000000150000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 1, 0, 0, 0, 0, 0, 0, 21, 0, 0, 0, NULL),
	(1000000000023, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x506574203232', '\x01ffff0f00020100000000000000000000160000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 2, 1, 0, 0, 0, 0, 0, 22, 0, 0, 0, NULL),
	(1000000000024, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x506574203233', '\x01ffff0f00030200000000000000000000170000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 3, 2, 0, 0, 0, 0, 0, 23, 0, 0, 0, NULL),
	(1000000000025, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x506574203234', '\x01ffff0f00040000000000000000000000180000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 4, 0, 0, 0, 0, 0, 0, 24, 0, 0, 0, NULL),
	(1000000000026, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x506574203235', '\x01ffff0f00000100000000000000000000190000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 0, 1, 0, 0, 0, 0, 0, 25, 0, 0, 0, NULL),
	(1000000000027, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x506574203236', '\x01ffff0f000102000000000000000000001a0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 1, 2, 0, 0, 0, 0, 0, 26, 0, 0, 0, NULL),
	(1000000000028, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x506574203237', '\x01ffff0f000200000000000000000000001b0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 2, 0, 0, 0, 0, 0, 0, 27, 0, 0, 0, NULL),
	(1000000000029, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x506574203238', '\x01ffff0f000301000000000000000000001c0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 3, 1, 0, 0, 0, 0, 0, 28, 0, 0, 0, NULL),
	(1000000000030, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x506574203239', '\x01ffff0f000402000000000000000000001d0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 4, 2, 0, 0, 0, 0, 0, 29, 0, 0, 0, NULL),
	(1000000000003, 40, 1700000040000, 40, 1700000040000, 1, 2, 0, 'third', '\x0000000000000000000000000000000000000b0b', '\x', '\x01ffff0f00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL),
	(2000000000001, 60, 1700000060000, 60, 1700000060000, 1, 2, 0, 'third', '\x0000000000000000000000000000000000000b0b', '\x610062ffe280ae273b2044524f50205441424c45207065743b202d2df09f90be', '\x01ffff0300000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL);


INSERT INTO public.pet_change VALUES
	(1, 1000000000001, 1700000010000, 10, 'second', 'appeared', '[{"field":"realm","from":"","to":"second"},{"field":"owner","from":"","to":"0x00000000000000000000000000000000000A11cE"}]'),
	(2, 1000000000002, 1700000010000, 10, 'second', 'appeared', '[{"field":"realm","from":"","to":"second"},{"field":"owner","from":"","to":"0x00000000000000000000000000000000000A11cE"}]'),
	(3, 1000000000003, 1700000010000, 10, 'second', 'appeared', '[{"field":"realm","from":"","to":"second"},{"field":"owner","from":"","to":"0x00000000000000000000000000000000000A11cE"}]'),
	(4, 1000000000004, 1700000010000, 10, 'second', 'appeared', '[{"field":"realm","from":"","to":"second"},{"field":"owner","from":"","to":"0x00000000000000000000000000000000000A11cE"}]'),
	(5, 1000000000005, 1700000010000, 10, 'second', 'appeared', '[{"field":"realm","from":"","to":"second"},{"field":"owner","from":"","to":"0x00000000000000000000000000000000000A11cE"}]'),
	(6, 1000000000006, 1700000010000, 10, 'second', 'appeared', '[{"field":"realm","from":"","to":"second"},{"field":"owner","from":"","to":"0x00000000000000000000000000000000000A11cE"}]'),
	(7, 1000000000007, 1700000010000, 10, 'second', 'appeared', '[{"field":"realm","from":"","to":"second"},{"field":"owner","from":"","to":"0x00000000000000000000000000000000000A11cE"}]'),
	(8, 1000000000008, 1700000010000, 10, 'second', 'appeared', '[{"field":"realm","from":"","to":"second"},{"field":"owner","from":"","to":"0x00000000000000000000000000000000000A11cE"}]'),
	(9, 1000000000009, 1700000010000, 10, 'second', 'appeared', '[{"field":"realm","from":"","to":"second"},{"field":"owner","from":"","to":"0x00000000000000000000000000000000000A11cE"}]'),
	(10, 1000000000010, 1700000010000, 10, 'second', 'appeared', '[{"field":"realm","from":"","to":"second"},{"field":"owner","from":"","to":"0x00000000000000000000000000000000000A11cE"}]'),
	(11, 1000000000011, 1700000010000, 10, 'second', 'appeared', '[{"field":"realm","from":"","to":"second"},{"field":"owner","from":"","to":"0x00000000000000000000000000000000000A11cE"}]'),
	(12, 1000000000012, 1700000010000, 10, 'second', 'appeared', '[{"field":"realm","from":"","to":"second"},{"field":"owner","from":"","to":"0x00000000000000000000000000000000000A11cE"}]'),
	(13, 1000000000013, 1700000010000, 10, 'second', 'appeared', '[{"field":"realm","from":"","to":"second"},{"field":"owner","from":"","to":"0x00000000000000000000000000000000000A11cE"}]'),
	(14, 1000000000014, 1700000010000, 10, 'second', 'appeared', '[{"field":"realm","from":"","to":"second"},{"field":"owner","from":"","to":"0x00000000000000000000000000000000000A11cE"}]'),
	(15, 1000000000015, 1700000010000, 10, 'second', 'appeared', '[{"field":"realm","from":"","to":"second"},{"field":"owner","from":"","to":"0x00000000000000000000000000000000000A11cE"}]'),
	(16, 1000000000016, 1700000010000, 10, 'second', 'appeared', '[{"field":"realm","from":"","to":"second"},{"field":"owner","from":"","to":"0x00000000000000000000000000000000000A11cE"}]'),
	(17, 1000000000017, 1700000010000, 10, 'second', 'appeared', '[{"field":"realm","from":"","to":"second"},{"field":"owner","from":"","to":"0x00000000000000000000000000000000000A11cE"}]'),
	(18, 1000000000018, 1700000010000, 10, 'second', 'appeared', '[{"field":"realm","from":"","to":"second"},{"field":"owner","from":"","to":"0x00000000000000000000000000000000000A11cE"}]'),
	(19, 1000000000019, 1700000010000, 10, 'second', 'appeared', '[{"field":"realm","from":"","to":"second"},{"field":"owner","from":"","to":"0x00000000000000000000000000000000000A11cE"}]'),
	(20, 1000000000020, 1700000010000, 10, 'second', 'appeared', '[{"field":"realm","from":"","to":"second"},{"field":"owner","from":"","to":"0x00000000000000000000000000000000000A11cE"}]'),
	(21, 1000000000021, 1700000010000, 10, 'second', 'appeared', '[{"field":"realm","from":"","to":"second"},{"field":"owner","from":"","to":"0x00000000000000000000000000000000000A11cE"}]'),
	(22, 1000000000022, 1700000010000, 10, 'second', 'appeared', '[{"field":"realm","from":"","to":"second"},{"field":"owner","from":"","to":"0x00000000000000000000000000000000000A11cE"}]'),
	(23, 1000000000023, 1700000010000, 10, 'second', 'appeared', '[{"field":"realm","from":"","to":"second"},{"field":"owner","from":"","to":"0x00000000000000000000000000000000000A11cE"}]'),
	(24, 1000000000024, 1700000010000, 10, 'second', 'appeared', '[{"field":"realm","from":"","to":"second"},{"field":"owner","from":"","to":"0x00000000000000000000000000000000000A11cE"}]'),
	(25, 1000000000025, 1700000010000, 10, 'second', 'appeared', '[{"field":"realm","from":"","to":"second"},{"field":"owner","from":"","to":"0x00000000000000000000000000000000000A11cE"}]'),
	(26, 1000000000026, 1700000010000, 10, 'second', 'appeared', '[{"field":"realm","from":"","to":"second"},{"field":"owner","from":"","to":"0x00000000000000000000000000000000000A11cE"}]'),
	(27, 1000000000027, 1700000010000, 10, 'second', 'appeared', '[{"field":"realm","from":"","to":"second"},{"field":"owner","from":"","to":"0x00000000000000000000000000000000000A11cE"}]'),
	(28, 1000000000028, 1700000010000, 10, 'second', 'appeared', '[{"field":"realm","from":"","to":"second"},{"field":"owner","from":"","to":"0x00000000000000000000000000000000000A11cE"}]'),
	(29, 1000000000029, 1700000010000, 10, 'second', 'appeared', '[{"field":"realm","from":"","to":"second"},{"field":"owner","from":"","to":"0x00000000000000000000000000000000000A11cE"}]'),
	(30, 1000000000030, 1700000010000, 10, 'second', 'appeared', '[{"field":"realm","from":"","to":"second"},{"field":"owner","from":"","to":"0x00000000000000000000000000000000000A11cE"}]'),
	(31, 1000000000001, 1700000020000, 20, 'second', 'changed', '[{"field":"season","from":"0","to":"9"},{"field":"name","from":"Pet 0","to":"Renamed"}]'),
	(32, 1000000000002, 1700000020000, 20, 'second', 'changed', '[{"field":"originid","from":"0","to":"255"},{"field":"season","from":"1","to":"255"},{"field":"eggtype","from":"1","to":"255"},{"field":"rarity","from":"0","to":"255"},{"field":"element","from":"0","to":"255"},{"field":"bonuscount","from":"0","to":"255"},{"field":"profbonus","from":"0","to":"255"},{"field":"profbonusscalar","from":"0","to":"255"},{"field":"craftbonus","from":"0","to":"255"},{"field":"craftbonusscalar","from":"0","to":"255"},{"field":"combatbonus","from":"0","to":"255"},{"field":"combatbonusscalar","from":"0","to":"255"},{"field":"appearance","from":"1","to":"65535"},{"field":"background","from":"0","to":"255"},{"field":"shiny","from":"0","to":"255"},{"field":"hungryat","from":"0","to":"18446744073709551615"},{"field":"equippableat","from":"0","to":"18446744073709551615"},{"field":"equippedto","from":"0","to":"115792089237316195423570985008687907853269984665640564039457584007913129639935"},{"field":"fedby","from":"0x0000000000000000000000000000000000000000","to":"0xFFfFfFffFFfffFFfFFfFFFFFffFFFffffFfFFFfF"},{"field":"foodtype","from":"0","to":"255"},{"field":"name","from":"Pet 1","to":""}]'),
	(33, 1000000000003, 1700000030000, 30, 'second', 'moved', '[{"field":"owner","from":"0x00000000000000000000000000000000000A11cE","to":"0x00000000000000000000000000000000000000B1"},{"field":"intransit","from":"false","to":"true"},{"field":"season","from":"2","to":"0"},{"field":"eggtype","from":"2","to":"0"},{"field":"appearance","from":"2","to":"0"},{"field":"name","from":"Pet 2","to":""}]'),
	(34, 1000000000004, 1700000030000, 30, 'second', 'moved', '[{"field":"owner","from":"0x00000000000000000000000000000000000A11cE","to":"0x00000000000000000000000000000000000000B1"},{"field":"intransit","from":"false","to":"true"},{"field":"season","from":"3","to":"0"},{"field":"appearance","from":"3","to":"0"},{"field":"name","from":"Pet 3","to":""}]'),
	(35, 1000000000003, 1700000040000, 40, 'third', 'moved', '[{"field":"realm","from":"second","to":"third"},{"field":"owner","from":"0x00000000000000000000000000000000000000B1","to":"0x0000000000000000000000000000000000000B0b"},{"field":"intransit","from":"true","to":"false"}]'),
	(36, 1000000000005, 1700000050000, 50, 'second', 'burned', '[]'),
	(37, 2000000000001, 1700000060000, 60, 'third', 'appeared', '[{"field":"realm","from":"","to":"third"},{"field":"owner","from":"","to":"0x0000000000000000000000000000000000000B0b"}]'),
	(38, 9223372036854775807, 1700000060000, 60, 'third', 'reread', 'null'),
	(39, 9223372036854775807, 1795095087127, 0, 'first', 'reread', 'null');


INSERT INTO public.pet_count VALUES
	('first', 0, 0, 0, 0, 0, 0, 1),
	('second', 0, 0, 0, 0, 0, 0, 10),
	('second', 1, 0, 0, 0, 0, 0, 8),
	('second', 2, 0, 0, 0, 0, 0, 9),
	('second', 255, 255, 255, 255, 1, 0, 1),
	('third', 0, 0, 0, 0, 0, 0, 2);


INSERT INTO public.pet_import VALUES
	(7, '\x526578', '\x00');


INSERT INTO public.pet_kind VALUES
	(0, 0, 0, 0, 0, 0, 5),
	(0, 3, 0, 0, 0, 0, 0),
	(0, 6, 0, 0, 0, 0, 1),
	(0, 9, 0, 0, 0, 0, 1),
	(0, 12, 0, 0, 0, 0, 1),
	(0, 15, 0, 0, 0, 0, 1),
	(0, 18, 0, 0, 0, 0, 1),
	(0, 21, 0, 0, 0, 0, 1),
	(0, 24, 0, 0, 0, 0, 1),
	(0, 27, 0, 0, 0, 0, 1),
	(1, 1, 0, 0, 0, 0, 0),
	(1, 4, 0, 0, 0, 0, 0),
	(1, 7, 0, 0, 0, 0, 1),
	(1, 10, 0, 0, 0, 0, 1),
	(1, 13, 0, 0, 0, 0, 1),
	(1, 16, 0, 0, 0, 0, 1),
	(1, 19, 0, 0, 0, 0, 1),
	(1, 22, 0, 0, 0, 0, 1),
	(1, 25, 0, 0, 0, 0, 1),
	(1, 28, 0, 0, 0, 0, 1),
	(2, 2, 0, 0, 0, 0, 0),
	(2, 5, 0, 0, 0, 0, 1),
	(2, 8, 0, 0, 0, 0, 1),
	(2, 11, 0, 0, 0, 0, 1),
	(2, 14, 0, 0, 0, 0, 1),
	(2, 17, 0, 0, 0, 0, 1),
	(2, 20, 0, 0, 0, 0, 1),
	(2, 23, 0, 0, 0, 0, 1),
	(2, 26, 0, 0, 0, 0, 1),
	(2, 29, 0, 0, 0, 0, 1),
	(255, 65535, 0, 0, 0, 0, 1);


INSERT INTO public.pet_layout VALUES
	(1, 'originid:uint8 season:uint8 eggtype:uint8 rarity:uint8 element:uint8 bonuscount:uint8 profbonus:uint8 profbonusscalar:uint8 craftbonus:uint8 craftbonusscalar:uint8 combatbonus:uint8 combatbonusscalar:uint8 appearance:uint16 background:uint8 shiny:uint8 hungryat:uint64 equippableat:uint64 equippedto:uint256 fedby:address foodtype:uint8');


INSERT INTO public.pet_listing VALUES
	(1, 'v1 59d551940000000000000000000000000000000000000000000000000000000000000000 struct id originid name season eggtype rarity element bonuscount profbonus profbonusscalar craftbonus craftbonusscalar combatbonus combatbonusscalar appearance background shiny hungryat equippableat equippedto
v2 a00df8a10000000000000000000000000000000000000000000000000000000000000000 struct id originid name season eggtype rarity element bonuscount profbonus profbonusscalar craftbonus craftbonusscalar combatbonus combatbonusscalar appearance background shiny hungryat equippableat equippedto fedby foodtype
', 'columns season:uint8 eggtype:uint8 rarity:uint8 element:uint8 profbonus:uint8 craftbonus:uint8 combatbonus:uint8 appearance:uint16 background:uint8 shiny:uint8:bool hungryat:uint64; counted eggtype:uint8 rarity:uint8 element:uint8 background:uint8 shiny:uint8:bool; kind eggtype:uint8 appearance:uint16; ', 9223372036854775807);


INSERT INTO public.pet_mark VALUES
	('second', 10, 1700000010000, '0x000000000000000000000000000000000000000000000000000000000000000a', '{"ids":[1000000000001,1000000000002,1000000000003,1000000000004,1000000000005,1000000000006,1000000000007,1000000000008,1000000000009,1000000000010,1000000000011,1000000000012,1000000000013,1000000000014,1000000000015,1000000000016,1000000000017,1000000000018,1000000000019,1000000000020,1000000000021,1000000000022,1000000000023,1000000000024,1000000000025,1000000000026,1000000000027,1000000000028,1000000000029,1000000000030]}'),
	('second', 20, 1700000020000, '0x0000000000000000000000000000000000000000000000000000000000000014', '{"ids":[1000000000001,1000000000002]}'),
	('second', 30, 1700000030000, '0x000000000000000000000000000000000000000000000000000000000000001e', '{"ids":[1000000000003,1000000000004]}'),
	('second', 50, 1700000050000, '0x0000000000000000000000000000000000000000000000000000000000000032', '{"ids":[1000000000005]}'),
	('third', 40, 1700000040000, '0x0000000000000000000000000000000000000000000000000000000000000028', '{"ids":[1000000000003]}'),
	('third', 60, 1700000060000, '0x000000000000000000000000000000000000000000000000000000000000003c', '{"ids":[2000000000001]}');


INSERT INTO public.pet_realm VALUES
	('second', '{"source":"","fields":"","phase":"","next":0,"limit":0,"natives":0,"first":{"Number":0,"Hash":"0x0000000000000000000000000000000000000000000000000000000000000000","Parent":"0x0000000000000000000000000000000000000000000000000000000000000000","Time":"0001-01-01T00:00:00Z"},"pin":{"Number":0,"Hash":"0x0000000000000000000000000000000000000000000000000000000000000000","Parent":"0x0000000000000000000000000000000000000000000000000000000000000000","Time":"0001-01-01T00:00:00Z"},"block":{"Number":0,"Hash":"0x0000000000000000000000000000000000000000000000000000000000000000","Parent":"0x0000000000000000000000000000000000000000000000000000000000000000","Time":"0001-01-01T00:00:00Z"}}', 0),
	('third', '{"source":"","fields":"","phase":"","next":0,"limit":0,"natives":0,"first":{"Number":0,"Hash":"0x0000000000000000000000000000000000000000000000000000000000000000","Parent":"0x0000000000000000000000000000000000000000000000000000000000000000","Time":"0001-01-01T00:00:00Z"},"pin":{"Number":0,"Hash":"0x0000000000000000000000000000000000000000000000000000000000000000","Parent":"0x0000000000000000000000000000000000000000000000000000000000000000","Time":"0001-01-01T00:00:00Z"},"block":{"Number":0,"Hash":"0x0000000000000000000000000000000000000000000000000000000000000000","Parent":"0x0000000000000000000000000000000000000000000000000000000000000000","Time":"0001-01-01T00:00:00Z"}}', 0);


INSERT INTO public.pet_unannounced VALUES
	('first');


INSERT INTO public.pet_wanted VALUES
	('arena', 1, 1795095087127),
	('arena', 1000000000003, 1795095087117),
	('arena', 1000000000004, 1795095087117),
	('arena', 1000000000005, 1795095087121),
	('second', 1, 1795095087127),
	('second', 1000000000001, 1700001010000),
	('second', 1000000000003, 1700001030000),
	('second', 1000000000005, 1700001050000),
	('third', 1, 1795095087127),
	('third', 1000000000003, 1700001040000),
	('third', 1000000000004, 1795095087117),
	('third', 1000000000005, 1795095087121),
	('third', 2000000000001, 1700001060000);


INSERT INTO public.pet_word VALUES
	('hat', 1, '\x726564');


INSERT INTO public.proof VALUES
	('jewel', '6e3378ee9be11be03794b83096baa0b060ab46dcafab34c5f079af09a06e79f2', 1783126800000, 1, 1, '{"format":"petsupply-proof/1","snapshot":"6e3378ee9be11be03794b83096baa0b060ab46dcafab34c5f079af09a06e79f2","chains":[{"chainId":7,"block":{"number":1,"hash":"0x0100000000000000000000000000000000000000000000000000000000000000"},"header":"0x02","calls":[{"balance":"0x0300000000000000000000000000000000000000","return":"0x04"}],"nodes":null,"codes":null},{"chainId":9223372036854775813,"block":{"number":0,"hash":"0x0000000000000000000000000000000000000000000000000000000000000000"},"header":"0x09","calls":[{"to":"0x0300000000000000000000000000000000000000","data":"0x01","return":"0x04"}],"nodes":null,"codes":null}],"entries":[{"label":"Minted","known":"proven"}]}');


INSERT INTO public.proof_part VALUES
	('\x8b950ca7be064e45d2cca02d0b215bafb6fb4d822864b4e332ffadb696c13bd5', '\x6f776e2031'),
	('\xa5e5a7b4594123dc2606c7e1d61add673a9f483e4e63392028ed85ad64b1a857', '\x736861726564');


INSERT INTO public.proof_use VALUES
	('jewel', '6e3378ee9be11be03794b83096baa0b060ab46dcafab34c5f079af09a06e79f2', -9223372036854775803, 'node', '\xa5e5a7b4594123dc2606c7e1d61add673a9f483e4e63392028ed85ad64b1a857'),
	('jewel', '6e3378ee9be11be03794b83096baa0b060ab46dcafab34c5f079af09a06e79f2', 7, 'code', '\x8b950ca7be064e45d2cca02d0b215bafb6fb4d822864b4e332ffadb696c13bd5'),
	('jewel', '6e3378ee9be11be03794b83096baa0b060ab46dcafab34c5f079af09a06e79f2', 7, 'node', '\xa5e5a7b4594123dc2606c7e1d61add673a9f483e4e63392028ed85ad64b1a857');


INSERT INTO public.publication VALUES
	('crystal', 0, 1783123200000, 1, ''),
	('crystal', 0, 1783126800000, 2, ''),
	('crystal', 990000002, 18938880, 1, '7b737c8385410552'),
	('crystal', 990000002, 18939600, 2, '1c6533062d1b7670'),
	('crystal', 990000003, 15768000, 1, '7c52ba595fe1ab6f'),
	('crystal', 990000003, 15768900, 2, 'f6c19d473186b397'),
	('jade', 0, 1783123200000, 1, ''),
	('jade', 0, 1783126800000, 2, ''),
	('jade', 0, 1783130400000, 3, ''),
	('jade', 990000003, 15768000, 1, '7c52ba595fe1ab6f'),
	('jade', 990000003, 15768900, 2, 'f6c19d473186b397'),
	('jade', 990000003, 15769800, 3, '02b7a6ba19e41b90'),
	('jewel', 0, 1783123200000, 1, ''),
	('jewel', 0, 1783126800000, 2, ''),
	('jewel', 0, 1783130400000, 3, ''),
	('jewel', 990000002, 18938880, 1, '7b737c8385410552'),
	('jewel', 990000002, 18939600, 2, '1c6533062d1b7670'),
	('jewel', 990000002, 18940320, 3, 'c416ca3627390514'),
	('jewel', 990000003, 15768000, 1, '7c52ba595fe1ab6f'),
	('jewel', 990000003, 15768900, 2, 'f6c19d473186b397'),
	('jewel', 990000003, 15769800, 3, '02b7a6ba19e41b90');


INSERT INTO public.published VALUES
	('crystal', 1795095087076358, '{"token":"crystal","snapshot":{"id":"66886e16c744ea70fe4739631f395464ea654e4e1cd1cd7cc7c6b0f14c087420","token":"crystal","asOf":"2026-07-04T01:00:00Z","measuredAt":"2026-07-04T01:00:00Z","ledger":"ecec7bb91e222b4e4a48b767c8092967179f57c07f057682cbad9e5e4393de1b","totalSupply":"87307583.052169467679069687","circulatingSupply":"64016130.335420837580071141","burnedSupply":"5011369.808653191074728965","lockedSupply":"18902116.558748630098998546","reservedSupply":"4389336.158","max":"250000000","blocks":[{"chain":"second","chainId":990000002,"number":18939600,"hash":"0x1c6533062d1b767015d267350eb3f1b5000000000120fed00000000000000000","time":"2026-07-04T01:00:00Z"},{"chain":"third","chainId":990000003,"number":15768900,"hash":"0xf6c19d473186b3970573f266e8c3e7070000000000f09d440000000000000000","time":"2026-07-04T01:00:00Z"}],"evidence":{"format":"petsupply-evidence/2","token":"crystal","symbol":"CRYSTAL","decimals":18,"asOf":"2026-07-04T01:00:00Z","measuredAt":"2026-07-04T01:00:00Z","snapshot":"66886e16c744ea70fe4739631f395464ea654e4e1cd1cd7cc7c6b0f14c087420","ledger":"ecec7bb91e222b4e4a48b767c8092967179f57c07f057682cbad9e5e4393de1b","maxSupply":"250000000","formula":"total = sum of counted issued - sum of burned; circulating = total - sum of locked - sum of reserved; issued counts unless it carries a bridge with count source; escrowed is never counted; an amount is its return value divided by 10^decimals, rounded down to the token''s decimals","bridges":{"relay":{"count":"sum","slack":"60000"}},"chains":[{"name":"second","chainId":990000002,"number":18939600,"hash":"0x1c6533062d1b767015d267350eb3f1b5000000000120fed00000000000000000","parentHash":"0xb7285cecea61509d73cd6af503d7f755000000000120fecf0000000000000000","time":"2026-07-04T01:00:00Z"},{"name":"third","chainId":990000003,"number":15768900,"hash":"0xf6c19d473186b3970573f266e8c3e7070000000000f09d440000000000000000","parentHash":"0x4e659c28cae9eebe34676409e1b4200a0000000000f09d430000000000000000","time":"2026-07-04T01:00:00Z"}],"entries":[{"entry":{"label":"In Emberreach","bucket":"issued","bridge":"relay","chain":"second","erc20":"0x3158cDD9b7067914944d1Ea2779c8B3364308B6d","since":"2022-05-01","reason":"Issued in Emberreach"},"contract":"0x3158cdd9b7067914944d1ea2779c8b3364308b6d","calldata":"0x18160ddd","return":"0x000000000000000000000000000000000000000000473b6105ac9c7f2a2a3dac","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"86114142.558176866464316844","counted":true},{"entry":{"label":"In Cloudharbour","bucket":"issued","bridge":"relay","chain":"third","erc20":"0xc039c7fD580AE23AD1a2D8d1eB7BeEabf62964E3","since":"2024-07-12","reason":"The relay burns on one side and mints on the other, so both count"},"contract":"0xc039c7fd580ae23ad1a2d8d1eb7beeabf62964e3","calldata":"0x18160ddd","return":"0x0000000000000000000000000000000000000000000521eb70c4926d6e166450","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"6204810.302645792289481808","counted":true},{"entry":{"label":"Dead address","bucket":"burned","chain":"second","erc20":"0x3158cDD9b7067914944d1Ea2779c8B3364308B6d","holder":"0x000000000000000000000000000000000000dEaD","since":"2022-05-01","reason":"Sent where nobody has the key"},"contract":"0x3158cdd9b7067914944d1ea2779c8b3364308b6d","calldata":"0x70a08231000000000000000000000000000000000000000000000000000000000000dead","return":"0x000000000000000000000000000000000000000000042532e6d4bae3f582cc05","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"5011369.808653191074728965","counted":true},{"entry":{"label":"Time locks","bucket":"locked","chain":"second","call":"totalLock()","to":"0x3158cDD9b7067914944d1Ea2779c8B3364308B6d","since":"2022-05-01","reason":"Rewards that unlock a little every hour"},"contract":"0x3158cdd9b7067914944d1ea2779c8b3364308b6d","calldata":"0x3a1aae35","return":"0x0000000000000000000000000000000000000000000fa2adcab88c36c2d97512","decimals":18,"amount":"18902116.558748630098998546","counted":true},{"entry":{"label":"Treasury","bucket":"reserved","chain":"second","erc20":"0x3158cDD9b7067914944d1Ea2779c8B3364308B6d","holder":"0x53b2e266BAF67C7D54aF36806e888914f7f6f47F","since":"2022-05-01","reason":"Funds that the council spends in public"},"contract":"0x3158cdd9b7067914944d1ea2779c8b3364308b6d","calldata":"0x70a0823100000000000000000000000053b2e266baf67c7d54af36806e888914f7f6f47f","return":"0x00000000000000000000000000000000000000000003a17a63d1615732e30000","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"4389336.158","counted":true}],"figures":{"totalSupply":"87307583.052169467679069687","circulatingSupply":"64016130.335420837580071141","burnedSupply":"5011369.808653191074728965","lockedSupply":"18902116.558748630098998546","reservedSupply":"4389336.158"}}},"confirmed":"2026-07-04T01:00:00Z","held":{"candidate":{"id":"cf203eb2e3a4d3a9101469a5431f8bb0f3481963694428e9a156e4f059d8dafc","token":"crystal","asOf":"2026-07-04T02:00:00Z","measuredAt":"2026-07-04T02:00:00Z","ledger":"ecec7bb91e222b4e4a48b767c8092967179f57c07f057682cbad9e5e4393de1b","totalSupply":"87307605.266170994022705902","circulatingSupply":"64015414.389016865948059906","burnedSupply":"5011430.80712355351448059","lockedSupply":"18901624.560154128074645996","reservedSupply":"4390566.317","max":"250000000","blocks":[{"chain":"second","chainId":990000002,"number":18940320,"hash":"0xc416ca362739051474b4ff7d5b42558d00000000012101a00000000000000000","time":"2026-07-04T02:00:00Z"},{"chain":"third","chainId":990000003,"number":15769800,"hash":"0x02b7a6ba19e41b90f8efd4fea2e0078d0000000000f0a0c80000000000000000","time":"2026-07-04T02:00:00Z"}],"evidence":{"format":"petsupply-evidence/2","token":"crystal","symbol":"CRYSTAL","decimals":18,"asOf":"2026-07-04T02:00:00Z","measuredAt":"2026-07-04T02:00:00Z","snapshot":"cf203eb2e3a4d3a9101469a5431f8bb0f3481963694428e9a156e4f059d8dafc","ledger":"ecec7bb91e222b4e4a48b767c8092967179f57c07f057682cbad9e5e4393de1b","maxSupply":"250000000","formula":"total = sum of counted issued - sum of burned; circulating = total - sum of locked - sum of reserved; issued counts unless it carries a bridge with count source; escrowed is never counted; an amount is its return value divided by 10^decimals, rounded down to the token''s decimals","bridges":{"relay":{"count":"sum","slack":"60000"}},"chains":[{"name":"second","chainId":990000002,"number":18940320,"hash":"0xc416ca362739051474b4ff7d5b42558d00000000012101a00000000000000000","parentHash":"0x34f1d140a5c6b8845a33fe367ced630d000000000121019f0000000000000000","time":"2026-07-04T02:00:00Z"},{"name":"third","chainId":990000003,"number":15769800,"hash":"0x02b7a6ba19e41b90f8efd4fea2e0078d0000000000f0a0c80000000000000000","parentHash":"0xbe936bf01b677174ff972adfbdcd65a90000000000f0a0c70000000000000000","time":"2026-07-04T02:00:00Z"}],"entries":[{"entry":{"label":"In Emberreach","bucket":"issued","bridge":"relay","chain":"second","erc20":"0x3158cDD9b7067914944d1Ea2779c8B3364308B6d","since":"2022-05-01","reason":"Issued in Emberreach"},"contract":"0x3158cdd9b7067914944d1ea2779c8b3364308b6d","calldata":"0x18160ddd","return":"0x000000000000000000000000000000000000000000473b26005179eee08b9685","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"86113053.814336321424692869","counted":true},{"entry":{"label":"In Cloudharbour","bucket":"issued","bridge":"relay","chain":"third","erc20":"0xc039c7fD580AE23AD1a2D8d1eB7BeEabf62964E3","since":"2024-07-12","reason":"The relay burns on one side and mints on the other, so both count"},"contract":"0xc039c7fd580ae23ad1a2d8d1eb7beeabf62964e3","calldata":"0x18160ddd","return":"0x00000000000000000000000000000000000000000005222af8edcb4b9cd1b837","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"6205982.258958226112493623","counted":true},{"entry":{"label":"Dead address","bucket":"burned","chain":"second","erc20":"0x3158cDD9b7067914944d1Ea2779c8B3364308B6d","holder":"0x000000000000000000000000000000000000dEaD","since":"2022-05-01","reason":"Sent where nobody has the key"},"contract":"0x3158cdd9b7067914944d1ea2779c8b3364308b6d","calldata":"0x70a08231000000000000000000000000000000000000000000000000000000000000dead","return":"0x000000000000000000000000000000000000000000042536355ad48058ece3ce","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"5011430.80712355351448059","counted":true},{"entry":{"label":"Time locks","bucket":"locked","chain":"second","call":"totalLock()","to":"0x3158cDD9b7067914944d1Ea2779c8B3364308B6d","since":"2022-05-01","reason":"Rewards that unlock a little every hour"},"contract":"0x3158cdd9b7067914944d1ea2779c8b3364308b6d","calldata":"0x3a1aae35","return":"0x0000000000000000000000000000000000000000000fa2931ede693c0e3ba1ec","decimals":18,"amount":"18901624.560154128074645996","counted":true},{"entry":{"label":"Treasury","bucket":"reserved","chain":"second","erc20":"0x3158cDD9b7067914944d1Ea2779c8B3364308B6d","holder":"0x53b2e266BAF67C7D54aF36806e888914f7f6f47F","since":"2022-05-01","reason":"Funds that the council spends in public"},"contract":"0x3158cdd9b7067914944d1ea2779c8b3364308b6d","calldata":"0x70a0823100000000000000000000000053b2e266baf67c7d54af36806e888914f7f6f47f","return":"0x00000000000000000000000000000000000000000003a1bd13b4162dcca48000","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"4390566.317","counted":true}],"figures":{"totalSupply":"87307605.266170994022705902","circulatingSupply":"64015414.389016865948059906","burnedSupply":"5011430.80712355351448059","lockedSupply":"18901624.560154128074645996","reservedSupply":"4390566.317"}}},"reason":"total rose by 12 %","since":"2026-07-04T02:00:00Z","agreed":1,"blocks":[{"chain":"second","chainId":990000002,"number":18940320,"hash":"0xc416ca362739051474b4ff7d5b42558d00000000012101a00000000000000000","time":"2026-07-04T02:00:00Z"},{"chain":"third","chainId":990000003,"number":15769800,"hash":"0x02b7a6ba19e41b90f8efd4fea2e0078d0000000000f0a0c80000000000000000","time":"2026-07-04T02:00:00Z"}],"asOf":"2026-07-04T02:00:00Z"},"recent":null,"decimals":{"1/0x":18}}'),
	('jade', 1795095087077561, '{"token":"jade","snapshot":{"id":"8e0b152b66340171f56738d9e2c0e252ba4c75a9b09e5f9295c5fb61229e2743","token":"jade","asOf":"2026-07-04T02:00:00Z","measuredAt":"2026-07-04T02:00:00Z","ledger":"3011e1c90d4002c62771b91d867a3a2adc9b63d8297fbae3e74efaef737b03af","totalSupply":"120484340.520858926524873823","circulatingSupply":"84706452.138617569362279028","burnedSupply":"11411332.943361490826122462","lockedSupply":"26108664.002241357162594795","reservedSupply":"9669224.38","max":"250000000","blocks":[{"chain":"third","chainId":990000003,"number":15769800,"hash":"0x02b7a6ba19e41b90f8efd4fea2e0078d0000000000f0a0c80000000000000000","time":"2026-07-04T02:00:00Z"}],"evidence":{"format":"petsupply-evidence/2","token":"jade","symbol":"JADE","decimals":18,"asOf":"2026-07-04T02:00:00Z","measuredAt":"2026-07-04T02:00:00Z","snapshot":"8e0b152b66340171f56738d9e2c0e252ba4c75a9b09e5f9295c5fb61229e2743","ledger":"3011e1c90d4002c62771b91d867a3a2adc9b63d8297fbae3e74efaef737b03af","maxSupply":"250000000","formula":"total = sum of counted issued - sum of burned; circulating = total - sum of locked - sum of reserved; issued counts unless it carries a bridge with count source; escrowed is never counted; an amount is its return value divided by 10^decimals, rounded down to the token''s decimals","bridges":{},"chains":[{"name":"third","chainId":990000003,"number":15769800,"hash":"0x02b7a6ba19e41b90f8efd4fea2e0078d0000000000f0a0c80000000000000000","parentHash":"0xbe936bf01b677174ff972adfbdcd65a90000000000f0a0c70000000000000000","time":"2026-07-04T02:00:00Z"}],"entries":[{"entry":{"label":"Minted","bucket":"issued","chain":"third","erc20":"0xD4C4cbD25e9Ab0E6278371F9201187588Eb86018","since":"2022-12-01","reason":"Issued in Cloudharbour"},"contract":"0xd4c4cbd25e9ab0e6278371f9201187588eb86018","calldata":"0x18160ddd","return":"0x0000000000000000000000000000000000000000006d19fec91af0ac53f4913d","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"131895673.464220417350996285","counted":true},{"entry":{"label":"Dead address","bucket":"burned","chain":"third","erc20":"0xD4C4cbD25e9Ab0E6278371F9201187588Eb86018","holder":"0x000000000000000000000000000000000000dEaD","since":"2022-12-01","reason":"Sent where nobody has the key"},"contract":"0xd4c4cbd25e9ab0e6278371f9201187588eb86018","calldata":"0x70a08231000000000000000000000000000000000000000000000000000000000000dead","return":"0x00000000000000000000000000000000000000000009707199313a26870954de","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"11411332.943361490826122462","counted":true},{"entry":{"label":"Time locks","bucket":"locked","chain":"third","call":"totalLock()","to":"0xD4C4cbD25e9Ab0E6278371F9201187588Eb86018","since":"2022-12-01","reason":"Rewards that unlock a little every hour"},"contract":"0xd4c4cbd25e9ab0e6278371f9201187588eb86018","calldata":"0x3a1aae35","return":"0x0000000000000000000000000000000000000000001598b982f7f817125dc1eb","decimals":18,"amount":"26108664.002241357162594795","counted":true},{"entry":{"label":"Treasury","bucket":"reserved","chain":"third","erc20":"0xD4C4cbD25e9Ab0E6278371F9201187588Eb86018","holder":"0x53b2e266BAF67C7D54aF36806e888914f7f6f47F","since":"2022-12-01","reason":"Funds that the council spends in public"},"contract":"0xd4c4cbd25e9ab0e6278371f9201187588eb86018","calldata":"0x70a0823100000000000000000000000053b2e266baf67c7d54af36806e888914f7f6f47f","return":"0x00000000000000000000000000000000000000000007ff89b43637a07f460000","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"9669224.38","counted":true}],"figures":{"totalSupply":"120484340.520858926524873823","circulatingSupply":"84706452.138617569362279028","burnedSupply":"11411332.943361490826122462","lockedSupply":"26108664.002241357162594795","reservedSupply":"9669224.38"}}},"confirmed":"2026-07-04T02:00:00Z","recent":null,"decimals":{"1/0x":18}}'),
	('jewel', 1795095087087816, '{"token":"jewel","snapshot":{"id":"5635028ab072d39fb1fa851c69ca77b8d507d851095ec89a07c1977773504cd9","token":"jewel","asOf":"2026-07-04T02:00:00Z","measuredAt":"2026-07-04T02:00:00Z","ledger":"aa409287e9240f806a3909c563878ae40501cc4e90cca2f851dd41da6d96e531","totalSupply":"115198998.934646901650354267","circulatingSupply":"83312827.182735474379733206","burnedSupply":"3205142.073840223907493054","lockedSupply":"21646591.353981067519634962","reservedSupply":"10239580.397930359750986099","max":"125000000","blocks":[{"chain":"second","chainId":990000002,"number":18940320,"hash":"0xc416ca362739051474b4ff7d5b42558d00000000012101a00000000000000000","time":"2026-07-04T02:00:00Z"},{"chain":"third","chainId":990000003,"number":15769800,"hash":"0x02b7a6ba19e41b90f8efd4fea2e0078d0000000000f0a0c80000000000000000","time":"2026-07-04T02:00:00Z"}],"evidence":{"format":"petsupply-evidence/2","token":"jewel","symbol":"JEWEL","decimals":18,"asOf":"2026-07-04T02:00:00Z","measuredAt":"2026-07-04T02:00:00Z","snapshot":"5635028ab072d39fb1fa851c69ca77b8d507d851095ec89a07c1977773504cd9","ledger":"aa409287e9240f806a3909c563878ae40501cc4e90cca2f851dd41da6d96e531","maxSupply":"125000000","formula":"total = sum of counted issued - sum of burned; circulating = total - sum of locked - sum of reserved; issued counts unless it carries a bridge with count source; escrowed is never counted; an amount is its return value divided by 10^decimals, rounded down to the token''s decimals","bridges":{"portal":{"count":"source","slack":"5000"}},"chains":[{"name":"second","chainId":990000002,"number":18940320,"hash":"0xc416ca362739051474b4ff7d5b42558d00000000012101a00000000000000000","parentHash":"0x34f1d140a5c6b8845a33fe367ced630d000000000121019f0000000000000000","time":"2026-07-04T02:00:00Z"},{"name":"third","chainId":990000003,"number":15769800,"hash":"0x02b7a6ba19e41b90f8efd4fea2e0078d0000000000f0a0c80000000000000000","parentHash":"0xbe936bf01b677174ff972adfbdcd65a90000000000f0a0c70000000000000000","time":"2026-07-04T02:00:00Z"}],"entries":[{"entry":{"label":"Minted","bucket":"issued","chain":"second","call":"totalMinted()","to":"0xe10A6aaEfB59B969A7A5a23b63A617eAf9518474","since":"2022-03-30","reason":"Everything that was ever minted, as the mint itself counts it"},"contract":"0xe10a6aaefb59b969a7a5a23b63a617eaf9518474","calldata":"0xa2309ff8","return":"0x00000000000000000000000000000000000000000061f10d587b79bda49e2519","decimals":18,"amount":"118404141.008487125557847321","counted":true},{"entry":{"label":"Held for Cloudharbour","bucket":"escrowed","bridge":"portal","chain":"second","native":"0x5e52B000Df3D855dff67B7726c9Be9DD0f52D806","since":"2024-07-12","reason":"Locked by the portal; minted again in Cloudharbour"},"contract":"0x5e52b000df3d855dff67b7726c9be9dd0f52d806","return":"0x000000000000000000000000000000000000000000078ba3b7c9b270f1e50f89","decimals":18,"amount":"9121909.741017676988616585","counted":false},{"entry":{"label":"In Cloudharbour","bucket":"issued","bridge":"portal","chain":"third","erc20":"0xD8f66352C37C2AED1Fb361FCc5bE617d2EFA2aC7","since":"2024-07-12","reason":"Stands for what the portal holds, so it is not counted again"},"contract":"0xd8f66352c37c2aed1fb361fcc5be617d2efa2ac7","calldata":"0x18160ddd","return":"0x000000000000000000000000000000000000000000078b22a6772c1fec60b3d3","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"9119528.862824439178376147","counted":false},{"entry":{"label":"Fees burned","bucket":"burned","chain":"second","call":"totalBurn()","to":"0x3fD3F4723707Cf9FAff8dAD6cFC95BED7e826a84","since":"2022-03-30","reason":"Half of every fee is burned"},"contract":"0x3fd3f4723707cf9faff8dad6cfc95bed7e826a84","calldata":"0x3c9f861d","return":"0x00000000000000000000000000000000000000000002a6b719983b2ddebc34be","decimals":18,"amount":"3205142.073840223907493054","counted":true},{"entry":{"label":"Vesting","bucket":"locked","chain":"second","call":"reservedToken()","to":"0xfDAB19A1FA89e75FfcAA29cAf8A0D09550B6d9E6","since":"2023-01-01","reason":"Unlocks a little with every block"},"contract":"0xfdab19a1fa89e75ffcaa29caf8a0d09550b6d9e6","calldata":"0xc6f25670","return":"0x00000000000000000000000000000000000000000011e7d81192b1753754ae12","decimals":18,"amount":"21646591.353981067519634962","counted":true},{"entry":{"label":"Treasury","bucket":"reserved","chain":"second","native":"0x53b2e266BAF67C7D54aF36806e888914f7f6f47F","since":"2022-03-30","reason":"Funds that the council spends in public"},"contract":"0x53b2e266baf67c7d54af36806e888914f7f6f47f","return":"0x0000000000000000000000000000000000000000000666eb7e7be74617bd0973","decimals":18,"amount":"7739580.397930359750986099","counted":true},{"entry":{"label":"Team grant","bucket":"reserved","amount":"2500000","since":"2024-01-01","reason":"Promised and not yet handed over; declared, not measured"},"decimals":18,"amount":"2500000","counted":true}],"figures":{"totalSupply":"115198998.934646901650354267","circulatingSupply":"83312827.182735474379733206","burnedSupply":"3205142.073840223907493054","lockedSupply":"21646591.353981067519634962","reservedSupply":"10239580.397930359750986099"}}},"confirmed":"2026-07-04T02:00:00Z","recent":null,"decimals":{"1/0x":18}}');


INSERT INTO public.reading VALUES
	('crystal', 'live', 1, 1783123200000, 1783123200000, 'adbff7a8b69e8f825804a8570c71b54c4fd750f4c726d955c3df82e8497f76de', 'ecec7bb91e222b4e4a48b767c8092967179f57c07f057682cbad9e5e4393de1b', '87307745.429926652031950653', '64017418.389283177348785103', '5011345.833561311744153499', '18902221.04064347468316555', '4388106', '[{"chain":"second","chainId":990000002,"number":18938880,"hash":"0x7b737c83854105523a837377da4cd564000000000120fc000000000000000000","time":"2026-07-04T00:00:00Z"},{"chain":"third","chainId":990000003,"number":15768000,"hash":"0x7c52ba595fe1ab6f75931f8bddd4cde20000000000f099c00000000000000000","time":"2026-07-04T00:00:00Z"}]', 1, '{"format":"petsupply-evidence/2","token":"crystal","symbol":"CRYSTAL","decimals":18,"asOf":"2026-07-04T00:00:00Z","measuredAt":"2026-07-04T00:00:00Z","snapshot":"adbff7a8b69e8f825804a8570c71b54c4fd750f4c726d955c3df82e8497f76de","ledger":"ecec7bb91e222b4e4a48b767c8092967179f57c07f057682cbad9e5e4393de1b","maxSupply":"250000000","formula":"total = sum of counted issued - sum of burned; circulating = total - sum of locked - sum of reserved; issued counts unless it carries a bridge with count source; escrowed is never counted; an amount is its return value divided by 10^decimals, rounded down to the token''s decimals","bridges":{"relay":{"count":"sum","slack":"60000"}},"chains":[{"name":"second","chainId":990000002,"number":18938880,"hash":"0x7b737c83854105523a837377da4cd564000000000120fc000000000000000000","parentHash":"0x1e1667dacec88a8b1c835487b6464f03000000000120fbff0000000000000000","time":"2026-07-04T00:00:00Z"},{"name":"third","chainId":990000003,"number":15768000,"hash":"0x7c52ba595fe1ab6f75931f8bddd4cde20000000000f099c00000000000000000","parentHash":"0x3c318f338cb23b9b9619b56479c22f8d0000000000f099bf0000000000000000","time":"2026-07-04T00:00:00Z"}],"entries":[{"entry":{"label":"In Emberreach","bucket":"issued","bridge":"relay","chain":"second","erc20":"0x3158cDD9b7067914944d1Ea2779c8B3364308B6d","since":"2022-05-01","reason":"Issued in Emberreach"},"contract":"0x3158cdd9b7067914944d1ea2779c8b3364308b6d","calldata":"0x18160ddd","return":"0x000000000000000000000000000000000000000000473b8dd29cbd6daa19a405","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"86114968.982255496553145349","counted":true},{"entry":{"label":"In Cloudharbour","bucket":"issued","bridge":"relay","chain":"third","erc20":"0xc039c7fD580AE23AD1a2D8d1eB7BeEabf62964E3","since":"2024-07-12","reason":"The relay burns on one side and mints on the other, so both count"},"contract":"0xc039c7fd580ae23ad1a2d8d1eb7beeabf62964e3","calldata":"0x18160ddd","return":"0x0000000000000000000000000000000000000000000521c6248d7c4d4f4992d3","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"6204122.281232467222958803","counted":true},{"entry":{"label":"Dead address","bucket":"burned","chain":"second","erc20":"0x3158cDD9b7067914944d1Ea2779c8B3364308B6d","holder":"0x000000000000000000000000000000000000dEaD","since":"2022-05-01","reason":"Sent where nobody has the key"},"contract":"0x3158cdd9b7067914944d1ea2779c8b3364308b6d","calldata":"0x70a08231000000000000000000000000000000000000000000000000000000000000dead","return":"0x0000000000000000000000000000000000000000000425319a1c17da08a8d79b","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"5011345.833561311744153499","counted":true},{"entry":{"label":"Time locks","bucket":"locked","chain":"second","call":"totalLock()","to":"0x3158cDD9b7067914944d1Ea2779c8B3364308B6d","since":"2022-05-01","reason":"Rewards that unlock a little every hour"},"contract":"0x3158cdd9b7067914944d1ea2779c8b3364308b6d","calldata":"0x3a1aae35","return":"0x0000000000000000000000000000000000000000000fa2b374b2ce019a017b6e","decimals":18,"amount":"18902221.04064347468316555","counted":true},{"entry":{"label":"Treasury","bucket":"reserved","chain":"second","erc20":"0x3158cDD9b7067914944d1Ea2779c8B3364308B6d","holder":"0x53b2e266BAF67C7D54aF36806e888914f7f6f47F","since":"2022-05-01","reason":"Funds that the council spends in public"},"contract":"0x3158cdd9b7067914944d1ea2779c8b3364308b6d","calldata":"0x70a0823100000000000000000000000053b2e266baf67c7d54af36806e888914f7f6f47f","return":"0x00000000000000000000000000000000000000000003a137b3f239ff3de80000","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"4388106","counted":true}],"figures":{"totalSupply":"87307745.429926652031950653","circulatingSupply":"64017418.389283177348785103","burnedSupply":"5011345.833561311744153499","lockedSupply":"18902221.04064347468316555","reservedSupply":"4388106"}}'),
	('crystal', 'live', 2, 1783126800000, 1783126800000, '66886e16c744ea70fe4739631f395464ea654e4e1cd1cd7cc7c6b0f14c087420', 'ecec7bb91e222b4e4a48b767c8092967179f57c07f057682cbad9e5e4393de1b', '87307583.052169467679069687', '64016130.335420837580071141', '5011369.808653191074728965', '18902116.558748630098998546', '4389336.158', '[{"chain":"second","chainId":990000002,"number":18939600,"hash":"0x1c6533062d1b767015d267350eb3f1b5000000000120fed00000000000000000","time":"2026-07-04T01:00:00Z"},{"chain":"third","chainId":990000003,"number":15768900,"hash":"0xf6c19d473186b3970573f266e8c3e7070000000000f09d440000000000000000","time":"2026-07-04T01:00:00Z"}]', 0, '{"format":"petsupply-evidence/2","token":"crystal","symbol":"CRYSTAL","decimals":18,"asOf":"2026-07-04T01:00:00Z","measuredAt":"2026-07-04T01:00:00Z","snapshot":"66886e16c744ea70fe4739631f395464ea654e4e1cd1cd7cc7c6b0f14c087420","ledger":"ecec7bb91e222b4e4a48b767c8092967179f57c07f057682cbad9e5e4393de1b","maxSupply":"250000000","formula":"total = sum of counted issued - sum of burned; circulating = total - sum of locked - sum of reserved; issued counts unless it carries a bridge with count source; escrowed is never counted; an amount is its return value divided by 10^decimals, rounded down to the token''s decimals","bridges":{"relay":{"count":"sum","slack":"60000"}},"chains":[{"name":"second","chainId":990000002,"number":18939600,"hash":"0x1c6533062d1b767015d267350eb3f1b5000000000120fed00000000000000000","parentHash":"0xb7285cecea61509d73cd6af503d7f755000000000120fecf0000000000000000","time":"2026-07-04T01:00:00Z"},{"name":"third","chainId":990000003,"number":15768900,"hash":"0xf6c19d473186b3970573f266e8c3e7070000000000f09d440000000000000000","parentHash":"0x4e659c28cae9eebe34676409e1b4200a0000000000f09d430000000000000000","time":"2026-07-04T01:00:00Z"}],"entries":[{"entry":{"label":"In Emberreach","bucket":"issued","bridge":"relay","chain":"second","erc20":"0x3158cDD9b7067914944d1Ea2779c8B3364308B6d","since":"2022-05-01","reason":"Issued in Emberreach"},"contract":"0x3158cdd9b7067914944d1ea2779c8b3364308b6d","calldata":"0x18160ddd","return":"0x000000000000000000000000000000000000000000473b6105ac9c7f2a2a3dac","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"86114142.558176866464316844","counted":true},{"entry":{"label":"In Cloudharbour","bucket":"issued","bridge":"relay","chain":"third","erc20":"0xc039c7fD580AE23AD1a2D8d1eB7BeEabf62964E3","since":"2024-07-12","reason":"The relay burns on one side and mints on the other, so both count"},"contract":"0xc039c7fd580ae23ad1a2d8d1eb7beeabf62964e3","calldata":"0x18160ddd","return":"0x0000000000000000000000000000000000000000000521eb70c4926d6e166450","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"6204810.302645792289481808","counted":true},{"entry":{"label":"Dead address","bucket":"burned","chain":"second","erc20":"0x3158cDD9b7067914944d1Ea2779c8B3364308B6d","holder":"0x000000000000000000000000000000000000dEaD","since":"2022-05-01","reason":"Sent where nobody has the key"},"contract":"0x3158cdd9b7067914944d1ea2779c8b3364308b6d","calldata":"0x70a08231000000000000000000000000000000000000000000000000000000000000dead","return":"0x000000000000000000000000000000000000000000042532e6d4bae3f582cc05","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"5011369.808653191074728965","counted":true},{"entry":{"label":"Time locks","bucket":"locked","chain":"second","call":"totalLock()","to":"0x3158cDD9b7067914944d1Ea2779c8B3364308B6d","since":"2022-05-01","reason":"Rewards that unlock a little every hour"},"contract":"0x3158cdd9b7067914944d1ea2779c8b3364308b6d","calldata":"0x3a1aae35","return":"0x0000000000000000000000000000000000000000000fa2adcab88c36c2d97512","decimals":18,"amount":"18902116.558748630098998546","counted":true},{"entry":{"label":"Treasury","bucket":"reserved","chain":"second","erc20":"0x3158cDD9b7067914944d1Ea2779c8B3364308B6d","holder":"0x53b2e266BAF67C7D54aF36806e888914f7f6f47F","since":"2022-05-01","reason":"Funds that the council spends in public"},"contract":"0x3158cdd9b7067914944d1ea2779c8b3364308b6d","calldata":"0x70a0823100000000000000000000000053b2e266baf67c7d54af36806e888914f7f6f47f","return":"0x00000000000000000000000000000000000000000003a17a63d1615732e30000","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"4389336.158","counted":true}],"figures":{"totalSupply":"87307583.052169467679069687","circulatingSupply":"64016130.335420837580071141","burnedSupply":"5011369.808653191074728965","lockedSupply":"18902116.558748630098998546","reservedSupply":"4389336.158"}}'),
	('jade', 'live', 1, 1783123200000, 1783123200000, 'b8976acdd270862d673b1b39223a0626ab5c68254b184c4caea208c151e8f412', '3011e1c90d4002c62771b91d867a3a2adc9b63d8297fbae3e74efaef737b03af', '120471346.879655873151496053', '84702536.200084344552829862', '11409395.231854416077025234', '26118038.679571528598666191', '9650772', '[{"chain":"third","chainId":990000003,"number":15768000,"hash":"0x7c52ba595fe1ab6f75931f8bddd4cde20000000000f099c00000000000000000","time":"2026-07-04T00:00:00Z"}]', 1, '{"format":"petsupply-evidence/2","token":"jade","symbol":"JADE","decimals":18,"asOf":"2026-07-04T00:00:00Z","measuredAt":"2026-07-04T00:00:00Z","snapshot":"b8976acdd270862d673b1b39223a0626ab5c68254b184c4caea208c151e8f412","ledger":"3011e1c90d4002c62771b91d867a3a2adc9b63d8297fbae3e74efaef737b03af","maxSupply":"250000000","formula":"total = sum of counted issued - sum of burned; circulating = total - sum of locked - sum of reserved; issued counts unless it carries a bridge with count source; escrowed is never counted; an amount is its return value divided by 10^decimals, rounded down to the token''s decimals","bridges":{},"chains":[{"name":"third","chainId":990000003,"number":15768000,"hash":"0x7c52ba595fe1ab6f75931f8bddd4cde20000000000f099c00000000000000000","parentHash":"0x3c318f338cb23b9b9619b56479c22f8d0000000000f099bf0000000000000000","time":"2026-07-04T00:00:00Z"}],"entries":[{"entry":{"label":"Minted","bucket":"issued","chain":"third","erc20":"0xD4C4cbD25e9Ab0E6278371F9201187588Eb86018","since":"2022-12-01","reason":"Issued in Cloudharbour"},"contract":"0xd4c4cbd25e9ab0e6278371f9201187588eb86018","calldata":"0x18160ddd","return":"0x0000000000000000000000000000000000000000006d16d55af5ec823f1c5f47","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"131880742.111510289228521287","counted":true},{"entry":{"label":"Dead address","bucket":"burned","chain":"third","erc20":"0xD4C4cbD25e9Ab0E6278371F9201187588Eb86018","holder":"0x000000000000000000000000000000000000dEaD","since":"2022-12-01","reason":"Sent where nobody has the key"},"contract":"0xd4c4cbd25e9ab0e6278371f9201187588eb86018","calldata":"0x70a08231000000000000000000000000000000000000000000000000000000000000dead","return":"0x0000000000000000000000000000000000000000000970088e0b0ce6cdcc6fd2","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"11409395.231854416077025234","counted":true},{"entry":{"label":"Time locks","bucket":"locked","chain":"third","call":"totalLock()","to":"0xD4C4cbD25e9Ab0E6278371F9201187588Eb86018","since":"2022-12-01","reason":"Rewards that unlock a little every hour"},"contract":"0xd4c4cbd25e9ab0e6278371f9201187588eb86018","calldata":"0x3a1aae35","return":"0x000000000000000000000000000000000000000000159ab5b6c05ab63a2fbbcf","decimals":18,"amount":"26118038.679571528598666191","counted":true},{"entry":{"label":"Treasury","bucket":"reserved","chain":"third","erc20":"0xD4C4cbD25e9Ab0E6278371F9201187588Eb86018","holder":"0x53b2e266BAF67C7D54aF36806e888914f7f6f47F","since":"2022-12-01","reason":"Funds that the council spends in public"},"contract":"0xd4c4cbd25e9ab0e6278371f9201187588eb86018","calldata":"0x70a0823100000000000000000000000053b2e266baf67c7d54af36806e888914f7f6f47f","return":"0x00000000000000000000000000000000000000000007fba165ff6286b4d00000","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"9650772","counted":true}],"figures":{"totalSupply":"120471346.879655873151496053","circulatingSupply":"84702536.200084344552829862","burnedSupply":"11409395.231854416077025234","lockedSupply":"26118038.679571528598666191","reservedSupply":"9650772"}}'),
	('jade', 'live', 2, 1783126800000, 1783126800000, '84b6326af5f1b55d35e4d4b951a1231eb40965af50bee0f70a96b8bf487a13da', '3011e1c90d4002c62771b91d867a3a2adc9b63d8297fbae3e74efaef737b03af', '120479095.384102269696537406', '84707180.348187215762678535', '11410404.052672176149673759', '26111916.845915053933858871', '9659998.19', '[{"chain":"third","chainId":990000003,"number":15768900,"hash":"0xf6c19d473186b3970573f266e8c3e7070000000000f09d440000000000000000","time":"2026-07-04T01:00:00Z"}]', 0, '{"format":"petsupply-evidence/2","token":"jade","symbol":"JADE","decimals":18,"asOf":"2026-07-04T01:00:00Z","measuredAt":"2026-07-04T01:00:00Z","snapshot":"84b6326af5f1b55d35e4d4b951a1231eb40965af50bee0f70a96b8bf487a13da","ledger":"3011e1c90d4002c62771b91d867a3a2adc9b63d8297fbae3e74efaef737b03af","maxSupply":"250000000","formula":"total = sum of counted issued - sum of burned; circulating = total - sum of locked - sum of reserved; issued counts unless it carries a bridge with count source; escrowed is never counted; an amount is its return value divided by 10^decimals, rounded down to the token''s decimals","bridges":{},"chains":[{"name":"third","chainId":990000003,"number":15768900,"hash":"0xf6c19d473186b3970573f266e8c3e7070000000000f09d440000000000000000","parentHash":"0x4e659c28cae9eebe34676409e1b4200a0000000000f09d430000000000000000","time":"2026-07-04T01:00:00Z"}],"entries":[{"entry":{"label":"Minted","bucket":"issued","chain":"third","erc20":"0xD4C4cbD25e9Ab0E6278371F9201187588Eb86018","since":"2022-12-01","reason":"Issued in Cloudharbour"},"contract":"0xd4c4cbd25e9ab0e6278371f9201187588eb86018","calldata":"0x18160ddd","return":"0x0000000000000000000000000000000000000000006d18b017432df6202daa5d","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"131889499.436774445846211165","counted":true},{"entry":{"label":"Dead address","bucket":"burned","chain":"third","erc20":"0xD4C4cbD25e9Ab0E6278371F9201187588Eb86018","holder":"0x000000000000000000000000000000000000dEaD","since":"2022-12-01","reason":"Sent where nobody has the key"},"contract":"0xd4c4cbd25e9ab0e6278371f9201187588eb86018","calldata":"0x70a08231000000000000000000000000000000000000000000000000000000000000dead","return":"0x00000000000000000000000000000000000000000009703f3e3e91b14e02b71f","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"11410404.052672176149673759","counted":true},{"entry":{"label":"Time locks","bucket":"locked","chain":"third","call":"totalLock()","to":"0xD4C4cbD25e9Ab0E6278371F9201187588Eb86018","since":"2022-12-01","reason":"Rewards that unlock a little every hour"},"contract":"0xd4c4cbd25e9ab0e6278371f9201187588eb86018","calldata":"0x3a1aae35","return":"0x000000000000000000000000000000000000000000159969d93e2f034f121037","decimals":18,"amount":"26111916.845915053933858871","counted":true},{"entry":{"label":"Treasury","bucket":"reserved","chain":"third","erc20":"0xD4C4cbD25e9Ab0E6278371F9201187588Eb86018","holder":"0x53b2e266BAF67C7D54aF36806e888914f7f6f47F","since":"2022-12-01","reason":"Funds that the council spends in public"},"contract":"0xd4c4cbd25e9ab0e6278371f9201187588eb86018","calldata":"0x70a0823100000000000000000000000053b2e266baf67c7d54af36806e888914f7f6f47f","return":"0x00000000000000000000000000000000000000000007fd958d1acd139a0b0000","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"9659998.19","counted":true}],"figures":{"totalSupply":"120479095.384102269696537406","circulatingSupply":"84707180.348187215762678535","burnedSupply":"11410404.052672176149673759","lockedSupply":"26111916.845915053933858871","reservedSupply":"9659998.19"}}'),
	('jade', 'live', 3, 1783130400000, 1783130400000, '8e0b152b66340171f56738d9e2c0e252ba4c75a9b09e5f9295c5fb61229e2743', '3011e1c90d4002c62771b91d867a3a2adc9b63d8297fbae3e74efaef737b03af', '120484340.520858926524873823', '84706452.138617569362279028', '11411332.943361490826122462', '26108664.002241357162594795', '9669224.38', '[{"chain":"third","chainId":990000003,"number":15769800,"hash":"0x02b7a6ba19e41b90f8efd4fea2e0078d0000000000f0a0c80000000000000000","time":"2026-07-04T02:00:00Z"}]', 0, '{"format":"petsupply-evidence/2","token":"jade","symbol":"JADE","decimals":18,"asOf":"2026-07-04T02:00:00Z","measuredAt":"2026-07-04T02:00:00Z","snapshot":"8e0b152b66340171f56738d9e2c0e252ba4c75a9b09e5f9295c5fb61229e2743","ledger":"3011e1c90d4002c62771b91d867a3a2adc9b63d8297fbae3e74efaef737b03af","maxSupply":"250000000","formula":"total = sum of counted issued - sum of burned; circulating = total - sum of locked - sum of reserved; issued counts unless it carries a bridge with count source; escrowed is never counted; an amount is its return value divided by 10^decimals, rounded down to the token''s decimals","bridges":{},"chains":[{"name":"third","chainId":990000003,"number":15769800,"hash":"0x02b7a6ba19e41b90f8efd4fea2e0078d0000000000f0a0c80000000000000000","parentHash":"0xbe936bf01b677174ff972adfbdcd65a90000000000f0a0c70000000000000000","time":"2026-07-04T02:00:00Z"}],"entries":[{"entry":{"label":"Minted","bucket":"issued","chain":"third","erc20":"0xD4C4cbD25e9Ab0E6278371F9201187588Eb86018","since":"2022-12-01","reason":"Issued in Cloudharbour"},"contract":"0xd4c4cbd25e9ab0e6278371f9201187588eb86018","calldata":"0x18160ddd","return":"0x0000000000000000000000000000000000000000006d19fec91af0ac53f4913d","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"131895673.464220417350996285","counted":true},{"entry":{"label":"Dead address","bucket":"burned","chain":"third","erc20":"0xD4C4cbD25e9Ab0E6278371F9201187588Eb86018","holder":"0x000000000000000000000000000000000000dEaD","since":"2022-12-01","reason":"Sent where nobody has the key"},"contract":"0xd4c4cbd25e9ab0e6278371f9201187588eb86018","calldata":"0x70a08231000000000000000000000000000000000000000000000000000000000000dead","return":"0x00000000000000000000000000000000000000000009707199313a26870954de","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"11411332.943361490826122462","counted":true},{"entry":{"label":"Time locks","bucket":"locked","chain":"third","call":"totalLock()","to":"0xD4C4cbD25e9Ab0E6278371F9201187588Eb86018","since":"2022-12-01","reason":"Rewards that unlock a little every hour"},"contract":"0xd4c4cbd25e9ab0e6278371f9201187588eb86018","calldata":"0x3a1aae35","return":"0x0000000000000000000000000000000000000000001598b982f7f817125dc1eb","decimals":18,"amount":"26108664.002241357162594795","counted":true},{"entry":{"label":"Treasury","bucket":"reserved","chain":"third","erc20":"0xD4C4cbD25e9Ab0E6278371F9201187588Eb86018","holder":"0x53b2e266BAF67C7D54aF36806e888914f7f6f47F","since":"2022-12-01","reason":"Funds that the council spends in public"},"contract":"0xd4c4cbd25e9ab0e6278371f9201187588eb86018","calldata":"0x70a0823100000000000000000000000053b2e266baf67c7d54af36806e888914f7f6f47f","return":"0x00000000000000000000000000000000000000000007ff89b43637a07f460000","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"9669224.38","counted":true}],"figures":{"totalSupply":"120484340.520858926524873823","circulatingSupply":"84706452.138617569362279028","burnedSupply":"11411332.943361490826122462","lockedSupply":"26108664.002241357162594795","reservedSupply":"9669224.38"}}'),
	('jewel', 'live', 1, 1783123200000, 1783123200000, '7f8ed286d098977709b1ab246e6e27280648ac8fedf7d5f816fa37385732e77f', 'aa409287e9240f806a3909c563878ae40501cc4e90cca2f851dd41da6d96e531', '115198275.167307380482554436', '83316178.750918754519894721', '3204930.706870634761638939', '21648964.186389122096821665', '10233132.22999950386583805', '[{"chain":"second","chainId":990000002,"number":18938880,"hash":"0x7b737c83854105523a837377da4cd564000000000120fc000000000000000000","time":"2026-07-04T00:00:00Z"},{"chain":"third","chainId":990000003,"number":15768000,"hash":"0x7c52ba595fe1ab6f75931f8bddd4cde20000000000f099c00000000000000000","time":"2026-07-04T00:00:00Z"}]', 1, '{"format":"petsupply-evidence/2","token":"jewel","symbol":"JEWEL","decimals":18,"asOf":"2026-07-04T00:00:00Z","measuredAt":"2026-07-04T00:00:00Z","snapshot":"7f8ed286d098977709b1ab246e6e27280648ac8fedf7d5f816fa37385732e77f","ledger":"aa409287e9240f806a3909c563878ae40501cc4e90cca2f851dd41da6d96e531","maxSupply":"125000000","formula":"total = sum of counted issued - sum of burned; circulating = total - sum of locked - sum of reserved; issued counts unless it carries a bridge with count source; escrowed is never counted; an amount is its return value divided by 10^decimals, rounded down to the token''s decimals","bridges":{"portal":{"count":"source","slack":"5000"}},"chains":[{"name":"second","chainId":990000002,"number":18938880,"hash":"0x7b737c83854105523a837377da4cd564000000000120fc000000000000000000","parentHash":"0x1e1667dacec88a8b1c835487b6464f03000000000120fbff0000000000000000","time":"2026-07-04T00:00:00Z"},{"name":"third","chainId":990000003,"number":15768000,"hash":"0x7c52ba595fe1ab6f75931f8bddd4cde20000000000f099c00000000000000000","parentHash":"0x3c318f338cb23b9b9619b56479c22f8d0000000000f099bf0000000000000000","time":"2026-07-04T00:00:00Z"}],"entries":[{"entry":{"label":"Minted","bucket":"issued","chain":"second","call":"totalMinted()","to":"0xe10A6aaEfB59B969A7A5a23b63A617eAf9518474","since":"2022-03-30","reason":"Everything that was ever minted, as the mint itself counts it"},"contract":"0xe10a6aaefb59b969a7a5a23b63a617eaf9518474","calldata":"0xa2309ff8","return":"0x00000000000000000000000000000000000000000061f0daa6e30628ac0a0e5f","decimals":18,"amount":"118403205.874178015244193375","counted":true},{"entry":{"label":"Held for Cloudharbour","bucket":"escrowed","bridge":"portal","chain":"second","native":"0x5e52B000Df3D855dff67B7726c9Be9DD0f52D806","since":"2024-07-12","reason":"Locked by the portal; minted again in Cloudharbour"},"contract":"0x5e52b000df3d855dff67b7726c9be9dd0f52d806","return":"0x000000000000000000000000000000000000000000078b503448eba4bd77f5ca","decimals":18,"amount":"9120369.185467362753115594","counted":false},{"entry":{"label":"In Cloudharbour","bucket":"issued","bridge":"portal","chain":"third","erc20":"0xD8f66352C37C2AED1Fb361FCc5bE617d2EFA2aC7","since":"2024-07-12","reason":"Stands for what the portal holds, so it is not counted again"},"contract":"0xd8f66352c37c2aed1fb361fcc5be617d2efa2ac7","calldata":"0x18160ddd","return":"0x000000000000000000000000000000000000000000078ae0db4f0633b11ff5ca","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"9118315.185467362753115594","counted":false},{"entry":{"label":"Fees burned","bucket":"burned","chain":"second","call":"totalBurn()","to":"0x3fD3F4723707Cf9FAff8dAD6cFC95BED7e826a84","since":"2022-03-30","reason":"Half of every fee is burned"},"contract":"0x3fd3f4723707cf9faff8dad6cfc95bed7e826a84","calldata":"0x3c9f861d","return":"0x00000000000000000000000000000000000000000002a6aba449e83542e7541b","decimals":18,"amount":"3204930.706870634761638939","counted":true},{"entry":{"label":"Vesting","bucket":"locked","chain":"second","call":"reservedToken()","to":"0xfDAB19A1FA89e75FfcAA29cAf8A0D09550B6d9E6","since":"2023-01-01","reason":"Unlocks a little with every block"},"contract":"0xfdab19a1fa89e75ffcaa29caf8a0d09550b6d9e6","calldata":"0xc6f25670","return":"0x00000000000000000000000000000000000000000011e858b33cd8c75323f5a1","decimals":18,"amount":"21648964.186389122096821665","counted":true},{"entry":{"label":"Treasury","bucket":"reserved","chain":"second","native":"0x53b2e266BAF67C7D54aF36806e888914f7f6f47F","since":"2022-03-30","reason":"Funds that the council spends in public"},"contract":"0x53b2e266baf67c7d54af36806e888914f7f6f47f","return":"0x00000000000000000000000000000000000000000006658df02d7e04ad2079e2","decimals":18,"amount":"7733132.22999950386583805","counted":true},{"entry":{"label":"Team grant","bucket":"reserved","amount":"2500000","since":"2024-01-01","reason":"Promised and not yet handed over; declared, not measured"},"decimals":18,"amount":"2500000","counted":true}],"figures":{"totalSupply":"115198275.167307380482554436","circulatingSupply":"83316178.750918754519894721","burnedSupply":"3204930.706870634761638939","lockedSupply":"21648964.186389122096821665","reservedSupply":"10233132.22999950386583805"}}'),
	('jewel', 'live', 2, 1783126800000, 1783126800000, '6e3378ee9be11be03794b83096baa0b060ab46dcafab34c5f079af09a06e79f2', 'aa409287e9240f806a3909c563878ae40501cc4e90cca2f851dd41da6d96e531', '115198327.896795316493138671', '83313516.935003111304715277', '3205003.274779276103712618', '21648455.776732522312551736', '10236355.185059682875871658', '[{"chain":"second","chainId":990000002,"number":18939600,"hash":"0x1c6533062d1b767015d267350eb3f1b5000000000120fed00000000000000000","time":"2026-07-04T01:00:00Z"},{"chain":"third","chainId":990000003,"number":15768900,"hash":"0xf6c19d473186b3970573f266e8c3e7070000000000f09d440000000000000000","time":"2026-07-04T01:00:00Z"}]', 0, '{"format":"petsupply-evidence/2","token":"jewel","symbol":"JEWEL","decimals":18,"asOf":"2026-07-04T01:00:00Z","measuredAt":"2026-07-04T01:00:00Z","snapshot":"6e3378ee9be11be03794b83096baa0b060ab46dcafab34c5f079af09a06e79f2","ledger":"aa409287e9240f806a3909c563878ae40501cc4e90cca2f851dd41da6d96e531","maxSupply":"125000000","formula":"total = sum of counted issued - sum of burned; circulating = total - sum of locked - sum of reserved; issued counts unless it carries a bridge with count source; escrowed is never counted; an amount is its return value divided by 10^decimals, rounded down to the token''s decimals","bridges":{"portal":{"count":"source","slack":"5000"}},"chains":[{"name":"second","chainId":990000002,"number":18939600,"hash":"0x1c6533062d1b767015d267350eb3f1b5000000000120fed00000000000000000","parentHash":"0xb7285cecea61509d73cd6af503d7f755000000000120fecf0000000000000000","time":"2026-07-04T01:00:00Z"},{"name":"third","chainId":990000003,"number":15768900,"hash":"0xf6c19d473186b3970573f266e8c3e7070000000000f09d440000000000000000","parentHash":"0x4e659c28cae9eebe34676409e1b4200a0000000000f09d430000000000000000","time":"2026-07-04T01:00:00Z"}],"entries":[{"entry":{"label":"Minted","bucket":"issued","chain":"second","call":"totalMinted()","to":"0xe10A6aaEfB59B969A7A5a23b63A617eAf9518474","since":"2022-03-30","reason":"Everything that was ever minted, as the mint itself counts it"},"contract":"0xe10a6aaefb59b969a7a5a23b63a617eaf9518474","calldata":"0xa2309ff8","return":"0x00000000000000000000000000000000000000000061f0e171bccc7dee63ba59","decimals":18,"amount":"118403331.171574592596851289","counted":true},{"entry":{"label":"Held for Cloudharbour","bucket":"escrowed","bridge":"portal","chain":"second","native":"0x5e52B000Df3D855dff67B7726c9Be9DD0f52D806","since":"2024-07-12","reason":"Locked by the portal; minted again in Cloudharbour"},"contract":"0x5e52b000df3d855dff67b7726c9be9dd0f52d806","return":"0x000000000000000000000000000000000000000000078b79308e96bdcf14336f","decimals":18,"amount":"9121125.233353906244039535","counted":false},{"entry":{"label":"In Cloudharbour","bucket":"issued","bridge":"portal","chain":"third","erc20":"0xD8f66352C37C2AED1Fb361FCc5bE617d2EFA2aC7","since":"2024-07-12","reason":"Stands for what the portal holds, so it is not counted again"},"contract":"0xd8f66352c37c2aed1fb361fcc5be617d2efa2ac7","calldata":"0x18160ddd","return":"0x000000000000000000000000000000000000000000078af8c3ccff57a6106f14","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"9118756.213401179789487892","counted":false},{"entry":{"label":"Fees burned","bucket":"burned","chain":"second","call":"totalBurn()","to":"0x3fD3F4723707Cf9FAff8dAD6cFC95BED7e826a84","since":"2022-03-30","reason":"Half of every fee is burned"},"contract":"0x3fd3f4723707cf9faff8dad6cfc95bed7e826a84","calldata":"0x3c9f861d","return":"0x00000000000000000000000000000000000000000002a6af935ee8a2d718ff6a","decimals":18,"amount":"3205003.274779276103712618","counted":true},{"entry":{"label":"Vesting","bucket":"locked","chain":"second","call":"reservedToken()","to":"0xfDAB19A1FA89e75FfcAA29cAf8A0D09550B6d9E6","since":"2023-01-01","reason":"Unlocks a little with every block"},"contract":"0xfdab19a1fa89e75ffcaa29caf8a0d09550b6d9e6","calldata":"0xc6f25670","return":"0x00000000000000000000000000000000000000000011e83d23a2e7c55aaacd38","decimals":18,"amount":"21648455.776732522312551736","counted":true},{"entry":{"label":"Treasury","bucket":"reserved","chain":"second","native":"0x53b2e266BAF67C7D54aF36806e888914f7f6f47F","since":"2022-03-30","reason":"Funds that the council spends in public"},"contract":"0x53b2e266baf67c7d54af36806e888914f7f6f47f","return":"0x00000000000000000000000000000000000000000006663ca7aa054da6bc11aa","decimals":18,"amount":"7736355.185059682875871658","counted":true},{"entry":{"label":"Team grant","bucket":"reserved","amount":"2500000","since":"2024-01-01","reason":"Promised and not yet handed over; declared, not measured"},"decimals":18,"amount":"2500000","counted":true}],"figures":{"totalSupply":"115198327.896795316493138671","circulatingSupply":"83313516.935003111304715277","burnedSupply":"3205003.274779276103712618","lockedSupply":"21648455.776732522312551736","reservedSupply":"10236355.185059682875871658"}}'),
	('jewel', 'live', 3, 1783130400000, 1783130400000, '5635028ab072d39fb1fa851c69ca77b8d507d851095ec89a07c1977773504cd9', 'aa409287e9240f806a3909c563878ae40501cc4e90cca2f851dd41da6d96e531', '115198998.934646901650354267', '83312827.182735474379733206', '3205142.073840223907493054', '21646591.353981067519634962', '10239580.397930359750986099', '[{"chain":"second","chainId":990000002,"number":18940320,"hash":"0xc416ca362739051474b4ff7d5b42558d00000000012101a00000000000000000","time":"2026-07-04T02:00:00Z"},{"chain":"third","chainId":990000003,"number":15769800,"hash":"0x02b7a6ba19e41b90f8efd4fea2e0078d0000000000f0a0c80000000000000000","time":"2026-07-04T02:00:00Z"}]', 0, '{"format":"petsupply-evidence/2","token":"jewel","symbol":"JEWEL","decimals":18,"asOf":"2026-07-04T02:00:00Z","measuredAt":"2026-07-04T02:00:00Z","snapshot":"5635028ab072d39fb1fa851c69ca77b8d507d851095ec89a07c1977773504cd9","ledger":"aa409287e9240f806a3909c563878ae40501cc4e90cca2f851dd41da6d96e531","maxSupply":"125000000","formula":"total = sum of counted issued - sum of burned; circulating = total - sum of locked - sum of reserved; issued counts unless it carries a bridge with count source; escrowed is never counted; an amount is its return value divided by 10^decimals, rounded down to the token''s decimals","bridges":{"portal":{"count":"source","slack":"5000"}},"chains":[{"name":"second","chainId":990000002,"number":18940320,"hash":"0xc416ca362739051474b4ff7d5b42558d00000000012101a00000000000000000","parentHash":"0x34f1d140a5c6b8845a33fe367ced630d000000000121019f0000000000000000","time":"2026-07-04T02:00:00Z"},{"name":"third","chainId":990000003,"number":15769800,"hash":"0x02b7a6ba19e41b90f8efd4fea2e0078d0000000000f0a0c80000000000000000","parentHash":"0xbe936bf01b677174ff972adfbdcd65a90000000000f0a0c70000000000000000","time":"2026-07-04T02:00:00Z"}],"entries":[{"entry":{"label":"Minted","bucket":"issued","chain":"second","call":"totalMinted()","to":"0xe10A6aaEfB59B969A7A5a23b63A617eAf9518474","since":"2022-03-30","reason":"Everything that was ever minted, as the mint itself counts it"},"contract":"0xe10a6aaefb59b969a7a5a23b63a617eaf9518474","calldata":"0xa2309ff8","return":"0x00000000000000000000000000000000000000000061f10d587b79bda49e2519","decimals":18,"amount":"118404141.008487125557847321","counted":true},{"entry":{"label":"Held for Cloudharbour","bucket":"escrowed","bridge":"portal","chain":"second","native":"0x5e52B000Df3D855dff67B7726c9Be9DD0f52D806","since":"2024-07-12","reason":"Locked by the portal; minted again in Cloudharbour"},"contract":"0x5e52b000df3d855dff67b7726c9be9dd0f52d806","return":"0x000000000000000000000000000000000000000000078ba3b7c9b270f1e50f89","decimals":18,"amount":"9121909.741017676988616585","counted":false},{"entry":{"label":"In Cloudharbour","bucket":"issued","bridge":"portal","chain":"third","erc20":"0xD8f66352C37C2AED1Fb361FCc5bE617d2EFA2aC7","since":"2024-07-12","reason":"Stands for what the portal holds, so it is not counted again"},"contract":"0xd8f66352c37c2aed1fb361fcc5be617d2efa2ac7","calldata":"0x18160ddd","return":"0x000000000000000000000000000000000000000000078b22a6772c1fec60b3d3","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"9119528.862824439178376147","counted":false},{"entry":{"label":"Fees burned","bucket":"burned","chain":"second","call":"totalBurn()","to":"0x3fD3F4723707Cf9FAff8dAD6cFC95BED7e826a84","since":"2022-03-30","reason":"Half of every fee is burned"},"contract":"0x3fd3f4723707cf9faff8dad6cfc95bed7e826a84","calldata":"0x3c9f861d","return":"0x00000000000000000000000000000000000000000002a6b719983b2ddebc34be","decimals":18,"amount":"3205142.073840223907493054","counted":true},{"entry":{"label":"Vesting","bucket":"locked","chain":"second","call":"reservedToken()","to":"0xfDAB19A1FA89e75FfcAA29cAf8A0D09550B6d9E6","since":"2023-01-01","reason":"Unlocks a little with every block"},"contract":"0xfdab19a1fa89e75ffcaa29caf8a0d09550b6d9e6","calldata":"0xc6f25670","return":"0x00000000000000000000000000000000000000000011e7d81192b1753754ae12","decimals":18,"amount":"21646591.353981067519634962","counted":true},{"entry":{"label":"Treasury","bucket":"reserved","chain":"second","native":"0x53b2e266BAF67C7D54aF36806e888914f7f6f47F","since":"2022-03-30","reason":"Funds that the council spends in public"},"contract":"0x53b2e266baf67c7d54af36806e888914f7f6f47f","return":"0x0000000000000000000000000000000000000000000666eb7e7be74617bd0973","decimals":18,"amount":"7739580.397930359750986099","counted":true},{"entry":{"label":"Team grant","bucket":"reserved","amount":"2500000","since":"2024-01-01","reason":"Promised and not yet handed over; declared, not measured"},"decimals":18,"amount":"2500000","counted":true}],"figures":{"totalSupply":"115198998.934646901650354267","circulatingSupply":"83312827.182735474379733206","burnedSupply":"3205142.073840223907493054","lockedSupply":"21646591.353981067519634962","reservedSupply":"10239580.397930359750986099"}}'),
	('jewel', 'past', 1783036800000, 1783036800000, 1783036800000, 'b7b8ade4fb05217e5b4ab680140d8a78a0442826f5e29df6fcd582bafc536812', 'aa409287e9240f806a3909c563878ae40501cc4e90cca2f851dd41da6d96e531', '115198275.167307380482554436', '83316178.750918754519894721', '3204930.706870634761638939', '21648964.186389122096821665', '10233132.22999950386583805', '[{"chain":"second","chainId":990000002,"number":18921600,"hash":"0x956eb8665c5b582fee13c39d9a43817a000000000120b8800000000000000000","time":"2026-07-03T00:00:00Z"},{"chain":"third","chainId":990000003,"number":15746400,"hash":"0x2295ae4e93f2d74b044567d2ef521e110000000000f045600000000000000000","time":"2026-07-03T00:00:00Z"}]', 1, '{"format":"petsupply-evidence/2","token":"jewel","symbol":"JEWEL","decimals":18,"asOf":"2026-07-03T00:00:00Z","measuredAt":"2026-07-03T00:00:00Z","snapshot":"b7b8ade4fb05217e5b4ab680140d8a78a0442826f5e29df6fcd582bafc536812","ledger":"aa409287e9240f806a3909c563878ae40501cc4e90cca2f851dd41da6d96e531","maxSupply":"125000000","formula":"total = sum of counted issued - sum of burned; circulating = total - sum of locked - sum of reserved; issued counts unless it carries a bridge with count source; escrowed is never counted; an amount is its return value divided by 10^decimals, rounded down to the token''s decimals","bridges":{"portal":{"count":"source","slack":"5000"}},"chains":[{"name":"second","chainId":990000002,"number":18921600,"hash":"0x956eb8665c5b582fee13c39d9a43817a000000000120b8800000000000000000","parentHash":"0x2013023e170e8752396064ee94410e76000000000120b87f0000000000000000","time":"2026-07-03T00:00:00Z"},{"name":"third","chainId":990000003,"number":15746400,"hash":"0x2295ae4e93f2d74b044567d2ef521e110000000000f045600000000000000000","parentHash":"0xf8b366c98712999e33db97155cda98590000000000f0455f0000000000000000","time":"2026-07-03T00:00:00Z"}],"entries":[{"entry":{"label":"Minted","bucket":"issued","chain":"second","call":"totalMinted()","to":"0xe10A6aaEfB59B969A7A5a23b63A617eAf9518474","since":"2022-03-30","reason":"Everything that was ever minted, as the mint itself counts it"},"contract":"0xe10a6aaefb59b969a7a5a23b63a617eaf9518474","calldata":"0xa2309ff8","return":"0x00000000000000000000000000000000000000000061f0daa6e30628ac0a0e5f","decimals":18,"amount":"118403205.874178015244193375","counted":true},{"entry":{"label":"Held for Cloudharbour","bucket":"escrowed","bridge":"portal","chain":"second","native":"0x5e52B000Df3D855dff67B7726c9Be9DD0f52D806","since":"2024-07-12","reason":"Locked by the portal; minted again in Cloudharbour"},"contract":"0x5e52b000df3d855dff67b7726c9be9dd0f52d806","return":"0x000000000000000000000000000000000000000000078b503448eba4bd77f5ca","decimals":18,"amount":"9120369.185467362753115594","counted":false},{"entry":{"label":"In Cloudharbour","bucket":"issued","bridge":"portal","chain":"third","erc20":"0xD8f66352C37C2AED1Fb361FCc5bE617d2EFA2aC7","since":"2024-07-12","reason":"Stands for what the portal holds, so it is not counted again"},"contract":"0xd8f66352c37c2aed1fb361fcc5be617d2efa2ac7","calldata":"0x18160ddd","return":"0x000000000000000000000000000000000000000000078ae0db4f0633b11ff5ca","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"9118315.185467362753115594","counted":false},{"entry":{"label":"Fees burned","bucket":"burned","chain":"second","call":"totalBurn()","to":"0x3fD3F4723707Cf9FAff8dAD6cFC95BED7e826a84","since":"2022-03-30","reason":"Half of every fee is burned"},"contract":"0x3fd3f4723707cf9faff8dad6cfc95bed7e826a84","calldata":"0x3c9f861d","return":"0x00000000000000000000000000000000000000000002a6aba449e83542e7541b","decimals":18,"amount":"3204930.706870634761638939","counted":true},{"entry":{"label":"Vesting","bucket":"locked","chain":"second","call":"reservedToken()","to":"0xfDAB19A1FA89e75FfcAA29cAf8A0D09550B6d9E6","since":"2023-01-01","reason":"Unlocks a little with every block"},"contract":"0xfdab19a1fa89e75ffcaa29caf8a0d09550b6d9e6","calldata":"0xc6f25670","return":"0x00000000000000000000000000000000000000000011e858b33cd8c75323f5a1","decimals":18,"amount":"21648964.186389122096821665","counted":true},{"entry":{"label":"Treasury","bucket":"reserved","chain":"second","native":"0x53b2e266BAF67C7D54aF36806e888914f7f6f47F","since":"2022-03-30","reason":"Funds that the council spends in public"},"contract":"0x53b2e266baf67c7d54af36806e888914f7f6f47f","return":"0x00000000000000000000000000000000000000000006658df02d7e04ad2079e2","decimals":18,"amount":"7733132.22999950386583805","counted":true},{"entry":{"label":"Team grant","bucket":"reserved","amount":"2500000","since":"2024-01-01","reason":"Promised and not yet handed over; declared, not measured"},"decimals":18,"amount":"2500000","counted":true}],"figures":{"totalSupply":"115198275.167307380482554436","circulatingSupply":"83316178.750918754519894721","burnedSupply":"3204930.706870634761638939","lockedSupply":"21648964.186389122096821665","reservedSupply":"10233132.22999950386583805"}}');


INSERT INTO public.schema_fingerprint VALUES
	('1c45149bc24c6aa2a35d1ce3137a4314e61e7b7ce510128066b7e4809e378e0b');


INSERT INTO public.supply_event VALUES
	('crystal', 8, '{"seq":8,"token":"crystal","kind":"held","at":"2026-07-04T02:00:00Z","snapshot":"cf203eb2e3a4d3a9101469a5431f8bb0f3481963694428e9a156e4f059d8dafc","ledger":"ecec7bb91e222b4e4a48b767c8092967179f57c07f057682cbad9e5e4393de1b","totalSupply":"87307605.266170994022705902","circulatingSupply":"64015414.389016865948059906","burnedSupply":"5011430.80712355351448059","lockedSupply":"18901624.560154128074645996","reservedSupply":"4390566.317","reason":"total rose by 12 %"}'),
	('jewel', 10, '{"seq":10,"token":"jewel","kind":"corrected","at":"2026-11-19T13:31:27.086Z","snapshot":"6e3378ee9be11be03794b83096baa0b060ab46dcafab34c5f079af09a06e79f2","reason":"an entry was missing"}');


INSERT INTO public.supply_notice VALUES
	(1, '{"seq":1,"token":"jewel","kind":"published","at":"2026-07-04T00:00:00Z","snapshot":"7f8ed286d098977709b1ab246e6e27280648ac8fedf7d5f816fa37385732e77f","ledger":"aa409287e9240f806a3909c563878ae40501cc4e90cca2f851dd41da6d96e531","totalSupply":"115198275.167307380482554436","circulatingSupply":"83316178.750918754519894721","burnedSupply":"3204930.706870634761638939","lockedSupply":"21648964.186389122096821665","reservedSupply":"10233132.22999950386583805"}'),
	(2, '{"seq":2,"token":"crystal","kind":"published","at":"2026-07-04T00:00:00Z","snapshot":"adbff7a8b69e8f825804a8570c71b54c4fd750f4c726d955c3df82e8497f76de","ledger":"ecec7bb91e222b4e4a48b767c8092967179f57c07f057682cbad9e5e4393de1b","totalSupply":"87307745.429926652031950653","circulatingSupply":"64017418.389283177348785103","burnedSupply":"5011345.833561311744153499","lockedSupply":"18902221.04064347468316555","reservedSupply":"4388106"}'),
	(3, '{"seq":3,"token":"jade","kind":"published","at":"2026-07-04T00:00:00Z","snapshot":"b8976acdd270862d673b1b39223a0626ab5c68254b184c4caea208c151e8f412","ledger":"3011e1c90d4002c62771b91d867a3a2adc9b63d8297fbae3e74efaef737b03af","totalSupply":"120471346.879655873151496053","circulatingSupply":"84702536.200084344552829862","burnedSupply":"11409395.231854416077025234","lockedSupply":"26118038.679571528598666191","reservedSupply":"9650772"}'),
	(4, '{"seq":4,"token":"jewel","kind":"published","at":"2026-07-04T01:00:00Z","snapshot":"6e3378ee9be11be03794b83096baa0b060ab46dcafab34c5f079af09a06e79f2","ledger":"aa409287e9240f806a3909c563878ae40501cc4e90cca2f851dd41da6d96e531","totalSupply":"115198327.896795316493138671","circulatingSupply":"83313516.935003111304715277","burnedSupply":"3205003.274779276103712618","lockedSupply":"21648455.776732522312551736","reservedSupply":"10236355.185059682875871658"}'),
	(5, '{"seq":5,"token":"crystal","kind":"published","at":"2026-07-04T01:00:00Z","snapshot":"66886e16c744ea70fe4739631f395464ea654e4e1cd1cd7cc7c6b0f14c087420","ledger":"ecec7bb91e222b4e4a48b767c8092967179f57c07f057682cbad9e5e4393de1b","totalSupply":"87307583.052169467679069687","circulatingSupply":"64016130.335420837580071141","burnedSupply":"5011369.808653191074728965","lockedSupply":"18902116.558748630098998546","reservedSupply":"4389336.158"}'),
	(6, '{"seq":6,"token":"jade","kind":"published","at":"2026-07-04T01:00:00Z","snapshot":"84b6326af5f1b55d35e4d4b951a1231eb40965af50bee0f70a96b8bf487a13da","ledger":"3011e1c90d4002c62771b91d867a3a2adc9b63d8297fbae3e74efaef737b03af","totalSupply":"120479095.384102269696537406","circulatingSupply":"84707180.348187215762678535","burnedSupply":"11410404.052672176149673759","lockedSupply":"26111916.845915053933858871","reservedSupply":"9659998.19"}'),
	(7, '{"seq":7,"token":"jewel","kind":"published","at":"2026-07-04T02:00:00Z","snapshot":"5635028ab072d39fb1fa851c69ca77b8d507d851095ec89a07c1977773504cd9","ledger":"aa409287e9240f806a3909c563878ae40501cc4e90cca2f851dd41da6d96e531","totalSupply":"115198998.934646901650354267","circulatingSupply":"83312827.182735474379733206","burnedSupply":"3205142.073840223907493054","lockedSupply":"21646591.353981067519634962","reservedSupply":"10239580.397930359750986099"}'),
	(8, '{"seq":8,"token":"crystal","kind":"held","at":"2026-07-04T02:00:00Z","snapshot":"cf203eb2e3a4d3a9101469a5431f8bb0f3481963694428e9a156e4f059d8dafc","ledger":"ecec7bb91e222b4e4a48b767c8092967179f57c07f057682cbad9e5e4393de1b","totalSupply":"87307605.266170994022705902","circulatingSupply":"64015414.389016865948059906","burnedSupply":"5011430.80712355351448059","lockedSupply":"18901624.560154128074645996","reservedSupply":"4390566.317","reason":"total rose by 12 %"}'),
	(9, '{"seq":9,"token":"jade","kind":"published","at":"2026-07-04T02:00:00Z","snapshot":"8e0b152b66340171f56738d9e2c0e252ba4c75a9b09e5f9295c5fb61229e2743","ledger":"3011e1c90d4002c62771b91d867a3a2adc9b63d8297fbae3e74efaef737b03af","totalSupply":"120484340.520858926524873823","circulatingSupply":"84706452.138617569362279028","burnedSupply":"11411332.943361490826122462","lockedSupply":"26108664.002241357162594795","reservedSupply":"9669224.38"}'),
	(10, '{"seq":10,"token":"jewel","kind":"corrected","at":"2026-11-19T13:31:27.086Z","snapshot":"6e3378ee9be11be03794b83096baa0b060ab46dcafab34c5f079af09a06e79f2","reason":"an entry was missing"}');


INSERT INTO public.tlog VALUES
	(1, 'example.org/log', 'example.org/log+fd3538c5+Ac7MFQfcHd1ylZUcKQiI8JWtuQRNG3PWlubfBl1oO9T8', 13, 13, 'example.org/log
13
/ZfpnmjwQaUpvJAK8QFGpUqjxgWORWqqgcJaxvZKNH4=

— example.org/log /TU4xbobM3vIhE60ANmEKFoRXmTx0sWOobArMvI5SJ+OSBPSOG41aAnyWWD3z0otaK6my25pVOEyByc0pvlteNg5OQE=
');


INSERT INTO public.tlog_hash VALUES
	(1, 0, 0, '\x83b95e88129b6179ff8951d160a375a23509db77d3a27cdebd82bff9f7137874'),
	(1, 1, 0, '\xb3b0500a8dfded0b9cd8dbf45a3d04cf068ef01c059eebd97d2532cda9eb26b7'),
	(1, 2, 0, '\x7f8ed286d098977709b1ab246e6e27280648ac8fedf7d5f816fa37385732e77f'),
	(1, 3, 0, '\xb6c006c5790f9d047cfd063183652b75d0f63602856e68956897698fa792a3e8'),
	(1, 4, 0, '\xadbff7a8b69e8f825804a8570c71b54c4fd750f4c726d955c3df82e8497f76de'),
	(1, 5, 0, '\x0d617c2c906ebbf5f6870d31bb65e551cc4000c9d72be9d9843ba9cd40b56340'),
	(1, 6, 0, '\xb8976acdd270862d673b1b39223a0626ab5c68254b184c4caea208c151e8f412'),
	(1, 7, 0, '\x6e3378ee9be11be03794b83096baa0b060ab46dcafab34c5f079af09a06e79f2'),
	(1, 8, 0, '\x66886e16c744ea70fe4739631f395464ea654e4e1cd1cd7cc7c6b0f14c087420'),
	(1, 9, 0, '\x84b6326af5f1b55d35e4d4b951a1231eb40965af50bee0f70a96b8bf487a13da'),
	(1, 10, 0, '\x5635028ab072d39fb1fa851c69ca77b8d507d851095ec89a07c1977773504cd9'),
	(1, 11, 0, '\x8e0b152b66340171f56738d9e2c0e252ba4c75a9b09e5f9295c5fb61229e2743'),
	(1, 12, 0, '\x8a4555b3310cd1c5ccc512d840cc2d6f5d5d19abe827ce3bd2f0491b98ffdc81'),
	(1, 0, 1, '\x65db5dea3eff50e0bbd71223af3ad796f3a28341367909d67bc05876ac8f3e14'),
	(1, 1, 1, '\x5096ac52cfdab11d2b1c73ef8d9fa81b3f13033d69363bec1c1ac5346556ac3a'),
	(1, 2, 1, '\x75acb9332c1bdea4708a4c972bf1c8b1ab580c03cbfa818101228b9dfedaff11'),
	(1, 3, 1, '\x967d9763cab56249924b032515d596b84adbdd9accb5489646f8c1bfee143854'),
	(1, 4, 1, '\x1ee26c3e50792420989e6b00cb49be2e3c25fbfb31ee0b4acdf5c68bff5817c9'),
	(1, 5, 1, '\x29d9673539ab54d6f73c2468b2d9bc244077b42c7ac089e6d6722fdbaa7e6fc4'),
	(1, 0, 2, '\xa212249a703175c65aafb4ac2504d3f4b188bc68b9378869063f5682bcabd49d'),
	(1, 1, 2, '\x3c1515a14ee5145df8f74d979dd568bd9302371d39ae4880f17d85573f5069f3'),
	(1, 2, 2, '\xfcac56674e6b5cdf6c117616f6fa055141636d71eb32cb5eaa3e387a935743c4'),
	(1, 0, 3, '\x523d89b3321da4ffa16d29b8d9c7d9ffa9041b6e356a02376cdb406b168c96f8');


INSERT INTO public.tlog_leaf VALUES
	(1, 0, '\x7b22666f726d6174223a22706574737570706c792d6c6f672f31222c226f726967696e223a226578616d706c652e6f72672f6c6f67222c22626567756e223a22323032362d31312d31395431333a33313a32362e38375a222c22726561736f6e223a22697420697320746865206669727374206c6f67206f6620746869732073746f7265222c2270726576696f7573223a6e756c6c7d'),
	(1, 1, '\x7b22666f726d6174223a22706574737570706c792d6c65646765722f31222c22746f6b656e223a226a6577656c222c226c6564676572223a2261613430393238376539323430663830366133393039633536333837386165343035303163633465393063636132663835316464343164613664393665353331222c2273696e6365223a22323032362d30372d30345430303a30303a30305a227d'),
	(1, 2, '\x7b22666f726d6174223a22706574737570706c792d736e617073686f742f31222c22746f6b656e223a226a6577656c222c2261734f66223a22323032362d30372d30345430303a30303a30305a222c226d656173757265644174223a22323032362d30372d30345430303a30303a30305a222c22746f74616c537570706c79223a223131353139383237352e313637333037333830343832353534343336222c2263697263756c6174696e67537570706c79223a2238333331363137382e373530393138373534353139383934373231222c226275726e6564537570706c79223a22333230343933302e373036383730363334373631363338393339222c226c6f636b6564537570706c79223a2232313634383936342e313836333839313232303936383231363635222c227265736572766564537570706c79223a2231303233333133322e3232393939393530333836353833383035222c226d6178537570706c79223a22313235303030303030222c22626c6f636b73223a5b7b22636861696e4964223a3939303030303030322c226e756d626572223a31383933383838302c2268617368223a22307837623733376338333835343130353532336138333733373764613463643536343030303030303030303132306663303030303030303030303030303030303030222c2274696d65223a22323032362d30372d30345430303a30303a30305a227d2c7b22636861696e4964223a3939303030303030332c226e756d626572223a31353736383030302c2268617368223a22307837633532626135393566653161623666373539333166386264646434636465323030303030303030303066303939633030303030303030303030303030303030222c2274696d65223a22323032362d30372d30345430303a30303a30305a227d5d2c226c6564676572223a2261613430393238376539323430663830366133393039633536333837386165343035303163633465393063636132663835316464343164613664393665353331222c2265766964656e6365223a2262353738666335663034636536363136366331316231326465383431373835356134353663333562333539613030366135376631643734636439353937653561222c2270726576696f7573223a22227d'),
	(1, 3, '\x7b22666f726d6174223a22706574737570706c792d6c65646765722f31222c22746f6b656e223a226372797374616c222c226c6564676572223a2265636563376262393165323232623465346134386237363763383039323936373137396635376330376630353736383263626164396535653433393364653162222c2273696e6365223a22323032362d30372d30345430303a30303a30305a227d'),
	(1, 4, '\x7b22666f726d6174223a22706574737570706c792d736e617073686f742f31222c22746f6b656e223a226372797374616c222c2261734f66223a22323032362d30372d30345430303a30303a30305a222c226d656173757265644174223a22323032362d30372d30345430303a30303a30305a222c22746f74616c537570706c79223a2238373330373734352e343239393236363532303331393530363533222c2263697263756c6174696e67537570706c79223a2236343031373431382e333839323833313737333438373835313033222c226275726e6564537570706c79223a22353031313334352e383333353631333131373434313533343939222c226c6f636b6564537570706c79223a2231383930323232312e3034303634333437343638333136353535222c227265736572766564537570706c79223a2234333838313036222c226d6178537570706c79223a22323530303030303030222c22626c6f636b73223a5b7b22636861696e4964223a3939303030303030322c226e756d626572223a31383933383838302c2268617368223a22307837623733376338333835343130353532336138333733373764613463643536343030303030303030303132306663303030303030303030303030303030303030222c2274696d65223a22323032362d30372d30345430303a30303a30305a227d2c7b22636861696e4964223a3939303030303030332c226e756d626572223a31353736383030302c2268617368223a22307837633532626135393566653161623666373539333166386264646434636465323030303030303030303066303939633030303030303030303030303030303030222c2274696d65223a22323032362d30372d30345430303a30303a30305a227d5d2c226c6564676572223a2265636563376262393165323232623465346134386237363763383039323936373137396635376330376630353736383263626164396535653433393364653162222c2265766964656e6365223a2232353530653764356635393564363265633734313336393162373465326564366334613930656437313030373139623530623230363630373630616530363138222c2270726576696f7573223a22227d'),
	(1, 5, '\x7b22666f726d6174223a22706574737570706c792d6c65646765722f31222c22746f6b656e223a226a616465222c226c6564676572223a2233303131653163393064343030326336323737316239316438363761336132616463396236336438323937666261653365373465666165663733376230336166222c2273696e6365223a22323032362d30372d30345430303a30303a30305a227d'),
	(1, 6, '\x7b22666f726d6174223a22706574737570706c792d736e617073686f742f31222c22746f6b656e223a226a616465222c2261734f66223a22323032362d30372d30345430303a30303a30305a222c226d656173757265644174223a22323032362d30372d30345430303a30303a30305a222c22746f74616c537570706c79223a223132303437313334362e383739363535383733313531343936303533222c2263697263756c6174696e67537570706c79223a2238343730323533362e323030303834333434353532383239383632222c226275726e6564537570706c79223a2231313430393339352e323331383534343136303737303235323334222c226c6f636b6564537570706c79223a2232363131383033382e363739353731353238353938363636313931222c227265736572766564537570706c79223a2239363530373732222c226d6178537570706c79223a22323530303030303030222c22626c6f636b73223a5b7b22636861696e4964223a3939303030303030332c226e756d626572223a31353736383030302c2268617368223a22307837633532626135393566653161623666373539333166386264646434636465323030303030303030303066303939633030303030303030303030303030303030222c2274696d65223a22323032362d30372d30345430303a30303a30305a227d5d2c226c6564676572223a2233303131653163393064343030326336323737316239316438363761336132616463396236336438323937666261653365373465666165663733376230336166222c2265766964656e6365223a2262323539656363303930343838383465336630336136643665353466336635333061613538363266373931333131636435613166343835343437656632376465222c2270726576696f7573223a22227d'),
	(1, 7, '\x7b22666f726d6174223a22706574737570706c792d736e617073686f742f31222c22746f6b656e223a226a6577656c222c2261734f66223a22323032362d30372d30345430313a30303a30305a222c226d656173757265644174223a22323032362d30372d30345430313a30303a30305a222c22746f74616c537570706c79223a223131353139383332372e383936373935333136343933313338363731222c2263697263756c6174696e67537570706c79223a2238333331333531362e393335303033313131333034373135323737222c226275726e6564537570706c79223a22333230353030332e323734373739323736313033373132363138222c226c6f636b6564537570706c79223a2232313634383435352e373736373332353232333132353531373336222c227265736572766564537570706c79223a2231303233363335352e313835303539363832383735383731363538222c226d6178537570706c79223a22313235303030303030222c22626c6f636b73223a5b7b22636861696e4964223a3939303030303030322c226e756d626572223a31383933393630302c2268617368223a22307831633635333330363264316237363730313564323637333530656233663162353030303030303030303132306665643030303030303030303030303030303030222c2274696d65223a22323032362d30372d30345430313a30303a30305a227d2c7b22636861696e4964223a3939303030303030332c226e756d626572223a31353736383930302c2268617368223a22307866366331396434373331383662333937303537336632363665386333653730373030303030303030303066303964343430303030303030303030303030303030222c2274696d65223a22323032362d30372d30345430313a30303a30305a227d5d2c226c6564676572223a2261613430393238376539323430663830366133393039633536333837386165343035303163633465393063636132663835316464343164613664393665353331222c2265766964656e6365223a2263326134316166636364333861376530386434326365336564393530666664386434656632313264636539626330313265613266303534363566336132666366222c2270726576696f7573223a22227d'),
	(1, 8, '\x7b22666f726d6174223a22706574737570706c792d736e617073686f742f31222c22746f6b656e223a226372797374616c222c2261734f66223a22323032362d30372d30345430313a30303a30305a222c226d656173757265644174223a22323032362d30372d30345430313a30303a30305a222c22746f74616c537570706c79223a2238373330373538332e303532313639343637363739303639363837222c2263697263756c6174696e67537570706c79223a2236343031363133302e333335343230383337353830303731313431222c226275726e6564537570706c79223a22353031313336392e383038363533313931303734373238393635222c226c6f636b6564537570706c79223a2231383930323131362e353538373438363330303938393938353436222c227265736572766564537570706c79223a22343338393333362e313538222c226d6178537570706c79223a22323530303030303030222c22626c6f636b73223a5b7b22636861696e4964223a3939303030303030322c226e756d626572223a31383933393630302c2268617368223a22307831633635333330363264316237363730313564323637333530656233663162353030303030303030303132306665643030303030303030303030303030303030222c2274696d65223a22323032362d30372d30345430313a30303a30305a227d2c7b22636861696e4964223a3939303030303030332c226e756d626572223a31353736383930302c2268617368223a22307866366331396434373331383662333937303537336632363665386333653730373030303030303030303066303964343430303030303030303030303030303030222c2274696d65223a22323032362d30372d30345430313a30303a30305a227d5d2c226c6564676572223a2265636563376262393165323232623465346134386237363763383039323936373137396635376330376630353736383263626164396535653433393364653162222c2265766964656e6365223a2232326432643361393338616131616161353963313934386235356363636663666161383265333161633865646532633936363565396564613535393030343938222c2270726576696f7573223a22227d'),
	(1, 9, '\x7b22666f726d6174223a22706574737570706c792d736e617073686f742f31222c22746f6b656e223a226a616465222c2261734f66223a22323032362d30372d30345430313a30303a30305a222c226d656173757265644174223a22323032362d30372d30345430313a30303a30305a222c22746f74616c537570706c79223a223132303437393039352e333834313032323639363936353337343036222c2263697263756c6174696e67537570706c79223a2238343730373138302e333438313837323135373632363738353335222c226275726e6564537570706c79223a2231313431303430342e303532363732313736313439363733373539222c226c6f636b6564537570706c79223a2232363131313931362e383435393135303533393333383538383731222c227265736572766564537570706c79223a22393635393939382e3139222c226d6178537570706c79223a22323530303030303030222c22626c6f636b73223a5b7b22636861696e4964223a3939303030303030332c226e756d626572223a31353736383930302c2268617368223a22307866366331396434373331383662333937303537336632363665386333653730373030303030303030303066303964343430303030303030303030303030303030222c2274696d65223a22323032362d30372d30345430313a30303a30305a227d5d2c226c6564676572223a2233303131653163393064343030326336323737316239316438363761336132616463396236336438323937666261653365373465666165663733376230336166222c2265766964656e6365223a2232393135643466613465313136333839346139623638616538343263373732626634653239656530396266613430376438366233343039313230613862656138222c2270726576696f7573223a22227d'),
	(1, 10, '\x7b22666f726d6174223a22706574737570706c792d736e617073686f742f31222c22746f6b656e223a226a6577656c222c2261734f66223a22323032362d30372d30345430323a30303a30305a222c226d656173757265644174223a22323032362d30372d30345430323a30303a30305a222c22746f74616c537570706c79223a223131353139383939382e393334363436393031363530333534323637222c2263697263756c6174696e67537570706c79223a2238333331323832372e313832373335343734333739373333323036222c226275726e6564537570706c79223a22333230353134322e303733383430323233393037343933303534222c226c6f636b6564537570706c79223a2232313634363539312e333533393831303637353139363334393632222c227265736572766564537570706c79223a2231303233393538302e333937393330333539373530393836303939222c226d6178537570706c79223a22313235303030303030222c22626c6f636b73223a5b7b22636861696e4964223a3939303030303030322c226e756d626572223a31383934303332302c2268617368223a22307863343136636133363237333930353134373462346666376435623432353538643030303030303030303132313031613030303030303030303030303030303030222c2274696d65223a22323032362d30372d30345430323a30303a30305a227d2c7b22636861696e4964223a3939303030303030332c226e756d626572223a31353736393830302c2268617368223a22307830326237613662613139653431623930663865666434666561326530303738643030303030303030303066306130633830303030303030303030303030303030222c2274696d65223a22323032362d30372d30345430323a30303a30305a227d5d2c226c6564676572223a2261613430393238376539323430663830366133393039633536333837386165343035303163633465393063636132663835316464343164613664393665353331222c2265766964656e6365223a2266366662363839613337626231646635653631316436373535373935323338636366626235313630356231633465376361326130646432366334303630653831222c2270726576696f7573223a22227d'),
	(1, 11, '\x7b22666f726d6174223a22706574737570706c792d736e617073686f742f31222c22746f6b656e223a226a616465222c2261734f66223a22323032362d30372d30345430323a30303a30305a222c226d656173757265644174223a22323032362d30372d30345430323a30303a30305a222c22746f74616c537570706c79223a223132303438343334302e353230383538393236353234383733383233222c2263697263756c6174696e67537570706c79223a2238343730363435322e313338363137353639333632323739303238222c226275726e6564537570706c79223a2231313431313333322e393433333631343930383236313232343632222c226c6f636b6564537570706c79223a2232363130383636342e303032323431333537313632353934373935222c227265736572766564537570706c79223a22393636393232342e3338222c226d6178537570706c79223a22323530303030303030222c22626c6f636b73223a5b7b22636861696e4964223a3939303030303030332c226e756d626572223a31353736393830302c2268617368223a22307830326237613662613139653431623930663865666434666561326530303738643030303030303030303066306130633830303030303030303030303030303030222c2274696d65223a22323032362d30372d30345430323a30303a30305a227d5d2c226c6564676572223a2233303131653163393064343030326336323737316239316438363761336132616463396236336438323937666261653365373465666165663733376230336166222c2265766964656e6365223a2233306431316339386538396362623335343739353263643336353235343133623238396238313638366234366561313664646535393362633530613938626631222c2270726576696f7573223a22227d'),
	(1, 12, '\x7b22666f726d6174223a22706574737570706c792d6465636973696f6e2f31222c22746f6b656e223a226a6577656c222c226b696e64223a22636f7272656374222c227375626a656374223a2236653333373865653962653131626530333739346238333039366261613062303630616234366463616661623334633566303739616630396130366537396632222c22726561736f6e223a22616e20656e74727920776173206d697373696e67222c226174223a22323032362d31312d31395431333a33313a32372e3038365a227d');


INSERT INTO public.webhook VALUES
	('game', 'pet', 0, 0, 0, ''),
	('game', 'supply', 2, 1793491200000, 0, '');


INSERT INTO public.webhook_aside VALUES
	('game', 'msg_supply-published_1_00', '{"type":"supply.published"}', 1795095087107);


ALTER TABLE ONLY public.decision
    ADD CONSTRAINT decision_pkey PRIMARY KEY (id);


ALTER TABLE ONLY public.lease
    ADD CONSTRAINT lease_pkey PRIMARY KEY (name);


ALTER TABLE ONLY public.ledger
    ADD CONSTRAINT ledger_pkey PRIMARY KEY (token, hash);


ALTER TABLE ONLY public.pet_change
    ADD CONSTRAINT pet_change_pkey PRIMARY KEY (seq);


ALTER TABLE ONLY public.pet_count
    ADD CONSTRAINT pet_count_pkey PRIMARY KEY (realm, n1, n2, n3, n4, n5, n6);


ALTER TABLE ONLY public.pet_import
    ADD CONSTRAINT pet_import_pkey PRIMARY KEY (id);


ALTER TABLE ONLY public.pet_kind
    ADD CONSTRAINT pet_kind_pkey PRIMARY KEY (n1, n2, n3, n4, n5, n6);


ALTER TABLE ONLY public.pet_layout
    ADD CONSTRAINT pet_layout_layout_key UNIQUE (layout);


ALTER TABLE ONLY public.pet_layout
    ADD CONSTRAINT pet_layout_pkey PRIMARY KEY (version);


ALTER TABLE ONLY public.pet_mark
    ADD CONSTRAINT pet_mark_pkey PRIMARY KEY (realm, number);


ALTER TABLE ONLY public.pet
    ADD CONSTRAINT pet_pkey PRIMARY KEY (realm, id);


ALTER TABLE ONLY public.pet_realm
    ADD CONSTRAINT pet_realm_pkey PRIMARY KEY (realm);


ALTER TABLE ONLY public.pet_unannounced
    ADD CONSTRAINT pet_unannounced_pkey PRIMARY KEY (realm);


ALTER TABLE ONLY public.pet_wanted
    ADD CONSTRAINT pet_wanted_pkey PRIMARY KEY (realm, id);


ALTER TABLE ONLY public.pet_word
    ADD CONSTRAINT pet_word_pkey PRIMARY KEY (field, number);


ALTER TABLE ONLY public.proof_part
    ADD CONSTRAINT proof_part_pkey PRIMARY KEY (hash);


ALTER TABLE ONLY public.proof
    ADD CONSTRAINT proof_pkey PRIMARY KEY (token, snapshot);


ALTER TABLE ONLY public.proof_use
    ADD CONSTRAINT proof_use_pkey PRIMARY KEY (token, snapshot, chain, kind, hash);


ALTER TABLE ONLY public.published
    ADD CONSTRAINT published_pkey PRIMARY KEY (token);


ALTER TABLE ONLY public.reading
    ADD CONSTRAINT reading_pkey PRIMARY KEY (token, kind, number);


ALTER TABLE ONLY public.supply_event
    ADD CONSTRAINT supply_event_pkey PRIMARY KEY (token, seq);


ALTER TABLE ONLY public.supply_notice
    ADD CONSTRAINT supply_notice_pkey PRIMARY KEY (seq);


ALTER TABLE ONLY public.tlog_hash
    ADD CONSTRAINT tlog_hash_pkey PRIMARY KEY (log, level, number);


ALTER TABLE ONLY public.tlog_leaf
    ADD CONSTRAINT tlog_leaf_pkey PRIMARY KEY (log, number);


ALTER TABLE ONLY public.tlog
    ADD CONSTRAINT tlog_origin_key UNIQUE (origin);


ALTER TABLE ONLY public.tlog
    ADD CONSTRAINT tlog_pkey PRIMARY KEY (id);


ALTER TABLE ONLY public.webhook_aside
    ADD CONSTRAINT webhook_aside_pkey PRIMARY KEY (name, id);


ALTER TABLE ONLY public.webhook
    ADD CONSTRAINT webhook_pkey PRIMARY KEY (name, feed);


CREATE INDEX decision_open ON public.decision USING btree (asked) WHERE (decided = 0);


CREATE INDEX pet_away ON public.pet USING btree (id) WHERE (here = 0);


CREATE INDEX pet_by_f1 ON public.pet USING btree (f1, id) WHERE (here = 1);


CREATE INDEX pet_by_f10 ON public.pet USING btree (f10, id) WHERE (here = 1);


CREATE INDEX pet_by_f11 ON public.pet USING btree (f11, id) WHERE (here = 1);


CREATE INDEX pet_by_f2 ON public.pet USING btree (f2, id) WHERE (here = 1);


CREATE INDEX pet_by_f3 ON public.pet USING btree (f3, id) WHERE (here = 1);


CREATE INDEX pet_by_f4 ON public.pet USING btree (f4, id) WHERE (here = 1);


CREATE INDEX pet_by_f5 ON public.pet USING btree (f5, id) WHERE (here = 1);


CREATE INDEX pet_by_f6 ON public.pet USING btree (f6, id) WHERE (here = 1);


CREATE INDEX pet_by_f7 ON public.pet USING btree (f7, id) WHERE (here = 1);


CREATE INDEX pet_by_f8 ON public.pet USING btree (f8, id) WHERE (here = 1);


CREATE INDEX pet_by_f9 ON public.pet USING btree (f9, id) WHERE (here = 1);


CREATE INDEX pet_by_name ON public.pet USING btree (substr(name, 1, 64), id) WHERE ((here = 1) AND (length(name) > 0));


CREATE INDEX pet_by_owner ON public.pet USING btree (owner, here, id);


CREATE INDEX pet_by_realm ON public.pet USING btree (realm, here, id);


CREATE INDEX pet_change_id ON public.pet_change USING btree (id, seq);


CREATE INDEX pet_custody ON public.pet USING btree (realm, id) WHERE (presence = 1);


CREATE UNIQUE INDEX pet_here ON public.pet USING btree (id) WHERE (here = 1);


CREATE INDEX pet_wanted_due ON public.pet_wanted USING btree (realm, due, id);


CREATE INDEX proof_taken ON public.proof USING btree (token, taken);


CREATE INDEX proof_use_hash ON public.proof_use USING btree (hash);


CREATE INDEX publication_hash ON public.publication USING btree (token, clock, hash, number) WHERE (clock <> 0);


CREATE UNIQUE INDEX publication_place ON public.publication USING btree (token, clock, "least", number);


CREATE INDEX reading_evidence ON public.reading USING btree (token, kind, number) WHERE ((evidence IS NOT NULL) AND (daily = 0));


CREATE INDEX reading_kept ON public.reading USING btree (token, taken) WHERE ((evidence IS NOT NULL) AND (kind = 'live'::text));


CREATE INDEX reading_moment ON public.reading USING btree (token, taken);


CREATE INDEX reading_snapshot ON public.reading USING btree (token, snapshot);


CREATE INDEX tlog_hash_leaf ON public.tlog_hash USING btree (hash) WHERE (level = 0);


