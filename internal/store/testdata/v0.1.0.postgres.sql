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


CREATE TABLE public.moved (
    address text NOT NULL,
    at bigint NOT NULL
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
    field text NOT NULL,
    value bigint NOT NULL,
    pets bigint NOT NULL
);


CREATE TABLE public.pet_form (
    layout text NOT NULL,
    getters text NOT NULL,
    columns text NOT NULL,
    below_id bigint NOT NULL
);


CREATE TABLE public.pet_import (
    id bigint NOT NULL,
    name bytea NOT NULL,
    traits bytea NOT NULL
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
    natives bigint NOT NULL,
    compared bigint NOT NULL,
    reindex bigint NOT NULL
);


CREATE TABLE public.pet_wanted (
    realm text NOT NULL,
    first_id bigint NOT NULL,
    last_id bigint NOT NULL,
    due bigint NOT NULL
);


CREATE TABLE public.proof (
    token text NOT NULL,
    snapshot text NOT NULL,
    taken bigint NOT NULL,
    hourly bigint NOT NULL,
    daily bigint NOT NULL,
    document bytea NOT NULL
);


CREATE TABLE public.published (
    token text NOT NULL,
    seq bigint NOT NULL,
    record text NOT NULL
);


CREATE TABLE public.reading (
    token text NOT NULL,
    number bigint NOT NULL,
    taken bigint NOT NULL,
    "least" bigint NOT NULL,
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


CREATE TABLE public.supply_notice (
    seq bigint NOT NULL,
    token text NOT NULL,
    forever smallint NOT NULL,
    notice text NOT NULL
);


CREATE TABLE public.tlog (
    id bigint NOT NULL,
    origin text NOT NULL,
    verifier_key text NOT NULL,
    size bigint NOT NULL,
    signed bigint NOT NULL,
    checkpoint text NOT NULL,
    copied bigint NOT NULL
);


CREATE TABLE public.tlog_hash (
    log bigint NOT NULL,
    number bigint NOT NULL,
    hash bytea NOT NULL
);


CREATE TABLE public.tlog_leaf (
    log bigint NOT NULL,
    number bigint NOT NULL,
    hash bytea NOT NULL,
    leaf bytea NOT NULL
);


CREATE TABLE public.webhook (
    name text NOT NULL,
    feed text NOT NULL,
    seq bigint NOT NULL,
    delivered bigint NOT NULL,
    refused bigint NOT NULL,
    skipped bigint NOT NULL
);


INSERT INTO public.decision VALUES
	('4JX3IHNGMGYSD7TPOVG3I3VUCT', 'wrong', 'jewel', '4627b285493944aeea3dce97475fed00c1657e3d010699c224b9cce7d29c223a', 'an entry was missing', 1795120987335, 1795120987349, 1),
	('QFJV4UCZ3P4VJJIKHDBMRJBIUO', 'accept', 'jade', 'heights', 'a new chain', 1795120987395, 0, 0);


INSERT INTO public.lease VALUES
	('', 0, 0);


INSERT INTO public.ledger VALUES
	('jewel', 'aa409287e9240f806a3909c563878ae40501cc4e90cca2f851dd41da6d96e531', 1783123200000, '{"ledger":"aa409287e9240f806a3909c563878ae40501cc4e90cca2f851dd41da6d96e531","since":"2026-07-04T00:00:00Z","decimals":18,"maxSupply":"125000000","bridges":{"portal":{"count":"source","slack":"5000"}},"entries":[{"label":"Minted","bucket":"issued","chain":"second","call":"totalMinted()","to":"0xe10A6aaEfB59B969A7A5a23b63A617eAf9518474","since":"2022-03-30","reason":"Everything that was ever minted, as the mint itself counts it"},{"label":"Held for Cloudharbour","bucket":"escrowed","bridge":"portal","chain":"second","native":"0x5e52B000Df3D855dff67B7726c9Be9DD0f52D806","since":"2024-07-12","reason":"Locked by the portal; minted again in Cloudharbour"},{"label":"In Cloudharbour","bucket":"issued","bridge":"portal","chain":"third","erc20":"0xD8f66352C37C2AED1Fb361FCc5bE617d2EFA2aC7","since":"2024-07-12","reason":"Stands for what the portal holds, so it is not counted again"},{"label":"Fees burned","bucket":"burned","chain":"second","call":"totalBurn()","to":"0x3fD3F4723707Cf9FAff8dAD6cFC95BED7e826a84","since":"2022-03-30","reason":"Half of every fee is burned"},{"label":"Vesting","bucket":"locked","chain":"second","call":"reservedToken()","to":"0xfDAB19A1FA89e75FfcAA29cAf8A0D09550B6d9E6","since":"2023-01-01","reason":"Unlocks a little with every block"},{"label":"Treasury","bucket":"reserved","chain":"second","native":"0x53b2e266BAF67C7D54aF36806e888914f7f6f47F","since":"2022-03-30","reason":"Funds that the council spends in public"},{"label":"Team grant","bucket":"reserved","amount":"2500000","since":"2024-01-01","reason":"Promised and not yet handed over; declared, not measured"}]}'),
	('crystal', 'ecec7bb91e222b4e4a48b767c8092967179f57c07f057682cbad9e5e4393de1b', 1783123200000, '{"ledger":"ecec7bb91e222b4e4a48b767c8092967179f57c07f057682cbad9e5e4393de1b","since":"2026-07-04T00:00:00Z","decimals":18,"maxSupply":"250000000","bridges":{"relay":{"count":"sum","slack":"60000"}},"entries":[{"label":"In Emberreach","bucket":"issued","bridge":"relay","chain":"second","erc20":"0x3158cDD9b7067914944d1Ea2779c8B3364308B6d","since":"2022-05-01","reason":"Issued in Emberreach"},{"label":"In Cloudharbour","bucket":"issued","bridge":"relay","chain":"third","erc20":"0xc039c7fD580AE23AD1a2D8d1eB7BeEabf62964E3","since":"2024-07-12","reason":"The relay burns on one side and mints on the other, so both count"},{"label":"Dead address","bucket":"burned","chain":"second","erc20":"0x3158cDD9b7067914944d1Ea2779c8B3364308B6d","holder":"0x000000000000000000000000000000000000dEaD","since":"2022-05-01","reason":"Sent where nobody has the key"},{"label":"Time locks","bucket":"locked","chain":"second","call":"totalLock()","to":"0x3158cDD9b7067914944d1Ea2779c8B3364308B6d","since":"2022-05-01","reason":"Rewards that unlock a little every hour"},{"label":"Treasury","bucket":"reserved","chain":"second","erc20":"0x3158cDD9b7067914944d1Ea2779c8B3364308B6d","holder":"0x53b2e266BAF67C7D54aF36806e888914f7f6f47F","since":"2022-05-01","reason":"Funds that the council spends in public"}]}'),
	('jade', '3011e1c90d4002c62771b91d867a3a2adc9b63d8297fbae3e74efaef737b03af', 1783123200000, '{"ledger":"3011e1c90d4002c62771b91d867a3a2adc9b63d8297fbae3e74efaef737b03af","since":"2026-07-04T00:00:00Z","decimals":18,"maxSupply":"250000000","bridges":{},"entries":[{"label":"Minted","bucket":"issued","chain":"third","erc20":"0xD4C4cbD25e9Ab0E6278371F9201187588Eb86018","since":"2022-12-01","reason":"Issued in Cloudharbour"},{"label":"Dead address","bucket":"burned","chain":"third","erc20":"0xD4C4cbD25e9Ab0E6278371F9201187588Eb86018","holder":"0x000000000000000000000000000000000000dEaD","since":"2022-12-01","reason":"Sent where nobody has the key"},{"label":"Time locks","bucket":"locked","chain":"third","call":"totalLock()","to":"0xD4C4cbD25e9Ab0E6278371F9201187588Eb86018","since":"2022-12-01","reason":"Rewards that unlock a little every hour"},{"label":"Treasury","bucket":"reserved","chain":"third","erc20":"0xD4C4cbD25e9Ab0E6278371F9201187588Eb86018","holder":"0x53b2e266BAF67C7D54aF36806e888914f7f6f47F","since":"2022-12-01","reason":"Funds that the council spends in public"}]}');


INSERT INTO public.pet VALUES
	(1000000000001, 20, 1700000020000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x52656e616d6564', '\x14ffff0f00090000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL),
	(1000000000002, 20, 1700000020000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x', '\x14ffff0fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff', 255, 255, 255, 255, 255, 255, 255, 65535, 255, 1, -1, NULL),
	(1000000000003, 30, 1700000030000, 10, 1700000010000, 0, 1, 0, 'second', '\x00000000000000000000000000000000000000b1', '\x', '\x14ffff0f00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL),
	(1000000000004, 30, 1700000030000, 10, 1700000010000, 1, 1, 1, 'second', '\x00000000000000000000000000000000000000b1', '\x', '\x14ffff0f00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL),
	(1000000000005, 50, 1700000050000, 10, 1700000010000, 0, 0, 0, 'second', '\x', '\x5065742034', '\x14ffff0f00040100000000000000000000040000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 4, 1, 0, 0, 0, 0, 0, 4, 0, 0, 0, NULL),
	(1000000000006, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x5065742035', '\x14ffff0f00000200000000000000000000050000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 0, 2, 0, 0, 0, 0, 0, 5, 0, 0, 0, NULL),
	(1000000000007, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x5065742036', '\x14ffff0f00010000000000000000000000060000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 1, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, NULL),
	(1000000000008, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x5065742037', '\x14ffff0f00020100000000000000000000070000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 2, 1, 0, 0, 0, 0, 0, 7, 0, 0, 0, NULL),
	(1000000000009, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x5065742038', '\x14ffff0f00030200000000000000000000080000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 3, 2, 0, 0, 0, 0, 0, 8, 0, 0, 0, NULL),
	(1000000000010, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x5065742039', '\x14ffff0f00040000000000000000000000090000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 4, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, NULL),
	(1000000000011, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x506574203130', '\x14ffff0f000001000000000000000000000a0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 0, 1, 0, 0, 0, 0, 0, 10, 0, 0, 0, NULL),
	(1000000000012, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x506574203131', '\x14ffff0f000102000000000000000000000b0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 1, 2, 0, 0, 0, 0, 0, 11, 0, 0, 0, NULL),
	(1000000000013, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x506574203132', '\x14ffff0f000200000000000000000000000c0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 2, 0, 0, 0, 0, 0, 0, 12, 0, 0, 0, NULL),
	(1000000000014, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x506574203133', '\x14ffff0f000301000000000000000000000d0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 3, 1, 0, 0, 0, 0, 0, 13, 0, 0, 0, NULL),
	(1000000000015, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x506574203134', '\x14ffff0f000402000000000000000000000e0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 4, 2, 0, 0, 0, 0, 0, 14, 0, 0, 0, NULL),
	(1000000000016, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x506574203135', '\x14ffff0f000000000000000000000000000f0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 0, 0, 0, 0, 0, 0, 0, 15, 0, 0, 0, NULL),
	(1000000000017, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x506574203136', '\x14ffff0f00010100000000000000000000100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 1, 1, 0, 0, 0, 0, 0, 16, 0, 0, 0, NULL),
	(1000000000018, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x506574203137', '\x14ffff0f00020200000000000000000000110000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 2, 2, 0, 0, 0, 0, 0, 17, 0, 0, 0, NULL),
	(1000000000019, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x506574203138', '\x14ffff0f00030000000000000000000000120000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 3, 0, 0, 0, 0, 0, 0, 18, 0, 0, 0, NULL),
	(1000000000020, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x506574203139', '\x14ffff0f00040100000000000000000000130000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 4, 1, 0, 0, 0, 0, 0, 19, 0, 0, 0, NULL),
	(1000000000021, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x506574203230', '\x14ffff0f00000200000000000000000000140000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 0, 2, 0, 0, 0, 0, 0, 20, 0, 0, 0, NULL),
	(1000000000022, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x506574203231', '\x14ffff0f00010000000000000000000000150000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 1, 0, 0, 0, 0, 0, 0, 21, 0, 0, 0, NULL),
	(1000000000023, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x506574203232', '\x14ffff0f00020100000000000000000000160000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 2, 1, 0, 0, 0, 0, 0, 22, 0, 0, 0, NULL),
	(1000000000024, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x506574203233', '\x14ffff0f00030200000000000000000000170000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 3, 2, 0, 0, 0, 0, 0, 23, 0, 0, 0, NULL),
	(1000000000025, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x506574203234', '\x14ffff0f00040000000000000000000000180000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 4, 0, 0, 0, 0, 0, 0, 24, 0, 0, 0, NULL),
	(1000000000026, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x506574203235', '\x14ffff0f00000100000000000000000000190000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 0, 1, 0, 0, 0, 0, 0, 25, 0, 0, 0, NULL),
	(1000000000027, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x506574203236', '\x14ffff0f000102000000000000000000001a0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 1, 2, 0, 0, 0, 0, 0, 26, 0, 0, 0, NULL),
	(1000000000028, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x506574203237', '\x14ffff0f000200000000000000000000001b0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 2, 0, 0, 0, 0, 0, 0, 27, 0, 0, 0, NULL),
	(1000000000029, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x506574203238', '\x14ffff0f000301000000000000000000001c0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 3, 1, 0, 0, 0, 0, 0, 28, 0, 0, 0, NULL),
	(1000000000030, 10, 1700000010000, 10, 1700000010000, 1, 2, 0, 'second', '\x00000000000000000000000000000000000a11ce', '\x506574203239', '\x14ffff0f000402000000000000000000001d0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 4, 2, 0, 0, 0, 0, 0, 29, 0, 0, 0, NULL),
	(1000000000003, 40, 1700000040000, 40, 1700000040000, 1, 2, 0, 'third', '\x0000000000000000000000000000000000000b0b', '\x', '\x14ffff0f00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL),
	(2000000000001, 60, 1700000060000, 60, 1700000060000, 1, 2, 0, 'third', '\x0000000000000000000000000000000000000b0b', '\x610062ffe280ae273b2044524f50205441424c45207065743b202d2df09f90be', '\x14ffff0300000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL),
	(1, 0, 0, 0, 0, 1, 1, 1, 'first', '\x', '\x', '\x14ffff0300000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL);


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
	(39, 9223372036854775807, 1795120987497, 0, 'first', 'reread', 'null');


INSERT INTO public.pet_count VALUES
	('second', 'appearance', 23, 1),
	('second', 'season', 1, 5),
	('second', 'egg', 2, 9),
	('second', 'season', 3, 5),
	('second', 'appearance', 12, 1),
	('second', 'appearance', 13, 1),
	('second', 'appearance', 14, 1),
	('second', 'appearance', 16, 1),
	('second', 'gathering', 0, 27),
	('second', 'appearance', 1, 0),
	('second', 'appearance', 8, 1),
	('second', 'appearance', 18, 1),
	('second', 'appearance', 20, 1),
	('second', 'appearance', 22, 1),
	('second', 'appearance', 24, 1),
	('second', 'egg', 0, 10),
	('second', 'rarity', 0, 27),
	('second', 'element', 0, 27),
	('second', 'appearance', 0, 2),
	('second', 'season', 4, 5),
	('second', 'appearance', 26, 1),
	('second', 'season', 0, 6),
	('second', 'shiny', 0, 27),
	('second', 'egg', 1, 8),
	('second', 'appearance', 7, 1),
	('second', 'appearance', 28, 1),
	('second', '', 0, 28),
	('second', 'appearance', 2, 0),
	('second', 'appearance', 5, 1),
	('second', 'appearance', 19, 1),
	('second', 'appearance', 25, 1),
	('second', 'appearance', 29, 1),
	('second', 'combat', 0, 27),
	('second', 'appearance', 4, 0),
	('second', 'appearance', 6, 1),
	('second', 'appearance', 9, 1),
	('second', 'appearance', 10, 1),
	('second', 'appearance', 11, 1),
	('second', 'appearance', 17, 1),
	('second', 'background', 0, 27),
	('second', 'appearance', 3, 0),
	('second', 'appearance', 15, 1),
	('second', 'appearance', 21, 1),
	('second', 'appearance', 27, 1),
	('second', 'crafting', 0, 27),
	('second', 'season', 2, 5),
	('second', 'season', 255, 1),
	('second', 'egg', 255, 1),
	('second', 'rarity', 255, 1),
	('second', 'gathering', 255, 1),
	('second', 'crafting', 255, 1),
	('second', 'combat', 255, 1),
	('second', 'appearance', 65535, 1),
	('second', 'background', 255, 1),
	('second', 'element', 255, 1),
	('second', 'season', 9, 1),
	('second', 'shiny', 1, 1),
	('third', 'egg', 0, 2),
	('third', 'rarity', 0, 2),
	('third', 'gathering', 0, 2),
	('third', 'crafting', 0, 2),
	('third', 'background', 0, 2),
	('third', '', 0, 2),
	('third', 'combat', 0, 2),
	('third', 'appearance', 0, 2),
	('third', 'shiny', 0, 2),
	('third', 'season', 0, 2),
	('third', 'element', 0, 2),
	('first', 'combat', 0, 1),
	('first', 'appearance', 0, 1),
	('first', 'background', 0, 1),
	('first', 'season', 0, 1),
	('first', 'egg', 0, 1),
	('first', 'rarity', 0, 1),
	('first', 'element', 0, 1),
	('first', 'crafting', 0, 1),
	('first', 'shiny', 0, 1),
	('first', '', 0, 1),
	('first', 'gathering', 0, 1);


INSERT INTO public.pet_form VALUES
	('originid:uint8 season:uint8 eggtype:uint8 rarity:uint8 element:uint8 bonuscount:uint8 profbonus:uint8 profbonusscalar:uint8 craftbonus:uint8 craftbonusscalar:uint8 combatbonus:uint8 combatbonusscalar:uint8 appearance:uint16 background:uint8 shiny:uint8 hungryat:uint64 equippableat:uint64 equippedto:uint256 fedby:address foodtype:uint8', 'v1 59d551940000000000000000000000000000000000000000000000000000000000000000 struct id originid name season eggtype rarity element bonuscount profbonus profbonusscalar craftbonus craftbonusscalar combatbonus combatbonusscalar appearance background shiny hungryat equippableat equippedto
v2 a00df8a10000000000000000000000000000000000000000000000000000000000000000 struct id originid name season eggtype rarity element bonuscount profbonus profbonusscalar craftbonus craftbonusscalar combatbonus combatbonusscalar appearance background shiny hungryat equippableat equippedto fedby foodtype
', 'season:uint8 bool false counted true; eggtype:uint8 bool false counted true; rarity:uint8 bool false counted true; element:uint8 bool false counted true; profbonus:uint8 bool false counted true; craftbonus:uint8 bool false counted true; combatbonus:uint8 bool false counted true; appearance:uint16 bool false counted true; background:uint8 bool false counted true; shiny:uint8 bool true counted true; hungryat:uint64 bool false counted false; ', 9223372036854775807);


INSERT INTO public.pet_import VALUES
	(7, '\x526578', '\x00');


INSERT INTO public.pet_mark VALUES
	('second', 10, 1700000010000, '0x000000000000000000000000000000000000000000000000000000000000000a', '{"ids":[1000000000001,1000000000002,1000000000003,1000000000004,1000000000005,1000000000006,1000000000007,1000000000008,1000000000009,1000000000010,1000000000011,1000000000012,1000000000013,1000000000014,1000000000015,1000000000016,1000000000017,1000000000018,1000000000019,1000000000020,1000000000021,1000000000022,1000000000023,1000000000024,1000000000025,1000000000026,1000000000027,1000000000028,1000000000029,1000000000030]}'),
	('second', 20, 1700000020000, '0x0000000000000000000000000000000000000000000000000000000000000014', '{"ids":[1000000000001,1000000000002]}'),
	('second', 30, 1700000030000, '0x000000000000000000000000000000000000000000000000000000000000001e', '{"ids":[1000000000003,1000000000004]}'),
	('third', 40, 1700000040000, '0x0000000000000000000000000000000000000000000000000000000000000028', '{"ids":[1000000000003]}'),
	('second', 50, 1700000050000, '0x0000000000000000000000000000000000000000000000000000000000000032', '{"ids":[1000000000005]}'),
	('third', 60, 1700000060000, '0x000000000000000000000000000000000000000000000000000000000000003c', '{"ids":[2000000000001]}');


INSERT INTO public.pet_realm VALUES
	('second', '{"source":"","form":"","phase":"","next":0,"limit":0,"since":0,"natives":0,"first":{"Number":0,"Hash":"0x0000000000000000000000000000000000000000000000000000000000000000","Parent":"0x0000000000000000000000000000000000000000000000000000000000000000","Time":"0001-01-01T00:00:00Z"},"pin":{"Number":0,"Hash":"0x0000000000000000000000000000000000000000000000000000000000000000","Parent":"0x0000000000000000000000000000000000000000000000000000000000000000","Time":"0001-01-01T00:00:00Z"},"block":{"Number":0,"Hash":"0x0000000000000000000000000000000000000000000000000000000000000000","Parent":"0x0000000000000000000000000000000000000000000000000000000000000000","Time":"0001-01-01T00:00:00Z"}}', 0, 0, 0),
	('third', '{"source":"","form":"","phase":"follow","next":0,"limit":0,"since":0,"natives":0,"first":{"Number":0,"Hash":"0x0000000000000000000000000000000000000000000000000000000000000000","Parent":"0x0000000000000000000000000000000000000000000000000000000000000000","Time":"0001-01-01T00:00:00Z"},"pin":{"Number":0,"Hash":"0x0000000000000000000000000000000000000000000000000000000000000000","Parent":"0x0000000000000000000000000000000000000000000000000000000000000000","Time":"0001-01-01T00:00:00Z"},"block":{"Number":0,"Hash":"0x0000000000000000000000000000000000000000000000000000000000000000","Parent":"0x0000000000000000000000000000000000000000000000000000000000000000","Time":"0001-01-01T00:00:00Z"}}', 0, 0, 0);


INSERT INTO public.pet_wanted VALUES
	('second', 1000000000001, 1000000000001, 1700001010000),
	('second', 1000000000003, 1000000000003, 1700001030000),
	('third', 1000000000003, 1000000000003, 1700001040000),
	('third', 1000000000004, 1000000000004, 1795120987449),
	('arena', 1000000000003, 1000000000003, 1795120987449),
	('arena', 1000000000004, 1000000000004, 1795120987449),
	('second', 1000000000005, 1000000000005, 1700001050000),
	('third', 1000000000005, 1000000000005, 1795120987467),
	('arena', 1000000000005, 1000000000005, 1795120987467),
	('third', 2000000000001, 2000000000001, 1700001060000),
	('second', 1, 1, 1795120987504),
	('third', 1, 1, 1795120987504),
	('arena', 1, 1, 1795120987504);


INSERT INTO public.proof VALUES
	('jewel', '4627b285493944aeea3dce97475fed00c1657e3d010699c224b9cce7d29c223a', 1783126800000, 1, 1, '\x1f8b08000000000000ffa4914d6eeb201485e76f1967ccd3e3cf60bc8337e80a2a0f305ccb511cb06ca74d1579ef1572a5a655076d7347a0039f8ebe7b459fe7935fd160a275394fd3f8f2779a73eeff09302cc94fcb904bac8db49dac2bed94d3da1379150339ab6dd553e43c08535952910b6e9c0b52eace854036ca72511e0c61f087b4a079bceec7ff118d65e8c61c8e68ae48e75347331ac130f86540037ee182df35d81806f2b1700b4e961e7e1cf71a9d1f7d0ab447ea9b448699d6f39cf65f1a5bcb9072a48204bf58656a23ac3495d16819c27b647a6b0d49ae04da8ddd5870522a652557a6aeb4b5552dd4175ef8ad973be7b317f7c1cb9a7faa24fad5bf2decb782daf28ed23a1f686f31fa8e46347838a49522188e293f17ea34e7274ad8daedcf6b000000ffffcd1da983c1020000');


INSERT INTO public.published VALUES
	('jewel', 1795120987349521, '{"token":"jewel","snapshot":{"format":"petsupply-snapshot/1","token":"jewel","asOf":"2026-07-04T02:00:00Z","measuredAt":"2026-07-04T02:00:00Z","totalSupply":"115199055.287687928081490099","circulatingSupply":"83313069.857935786264948548","burnedSupply":"3205097.312180835167877376","lockedSupply":"21646404.826787078304216265","reservedSupply":"10239580.602965063512325286","maxSupply":"125000000","blocks":[{"chain":"second","chainId":990000002,"number":18940320,"hash":"0xc416ca362739051474b4ff7d5b42558d00000000012101a00000000000000000","parentHash":"0x34f1d140a5c6b8845a33fe367ced630d000000000121019f0000000000000000","time":"2026-07-04T02:00:00Z"},{"chain":"third","chainId":990000003,"number":15769800,"hash":"0x02b7a6ba19e41b90f8efd4fea2e0078d0000000000f0a0c80000000000000000","parentHash":"0xbe936bf01b677174ff972adfbdcd65a90000000000f0a0c70000000000000000","time":"2026-07-04T02:00:00Z"}],"ledger":"aa409287e9240f806a3909c563878ae40501cc4e90cca2f851dd41da6d96e531","evidence":"4fb8f1b0643ba3940d9cc18971f9859a685d4b23bc96d71b9f97b511997ceaa5","previous":"","id":"832b3b20fe08c60791176e1ac997a85ffe61d1f1481fa4421cea48b5547b168b","measurement":{"format":"petsupply-evidence/2","token":"jewel","symbol":"JEWEL","decimals":18,"asOf":"2026-07-04T02:00:00Z","measuredAt":"2026-07-04T02:00:00Z","snapshot":"832b3b20fe08c60791176e1ac997a85ffe61d1f1481fa4421cea48b5547b168b","ledger":"aa409287e9240f806a3909c563878ae40501cc4e90cca2f851dd41da6d96e531","maxSupply":"125000000","formula":"total = sum of counted issued - sum of burned; circulating = total - sum of locked - sum of reserved; issued counts unless it carries a bridge with count source; escrowed is never counted; an amount is its return value divided by 10^decimals, rounded down to the token''s decimals","bridges":{"portal":{"count":"source","slack":"5000"}},"chains":[{"chain":"second","chainId":990000002,"number":18940320,"hash":"0xc416ca362739051474b4ff7d5b42558d00000000012101a00000000000000000","parentHash":"0x34f1d140a5c6b8845a33fe367ced630d000000000121019f0000000000000000","time":"2026-07-04T02:00:00Z"},{"chain":"third","chainId":990000003,"number":15769800,"hash":"0x02b7a6ba19e41b90f8efd4fea2e0078d0000000000f0a0c80000000000000000","parentHash":"0xbe936bf01b677174ff972adfbdcd65a90000000000f0a0c70000000000000000","time":"2026-07-04T02:00:00Z"}],"entries":[{"entry":{"label":"Minted","bucket":"issued","chain":"second","call":"totalMinted()","to":"0xe10A6aaEfB59B969A7A5a23b63A617eAf9518474","since":"2022-03-30","reason":"Everything that was ever minted, as the mint itself counts it"},"contract":"0xe10a6aaefb59b969a7a5a23b63a617eaf9518474","calldata":"0xa2309ff8","return":"0x00000000000000000000000000000000000000000061f10df95855ed2f34d9b3","decimals":18,"amount":"118404152.599868763249367475","counted":true},{"entry":{"label":"Held for Cloudharbour","bucket":"escrowed","bridge":"portal","chain":"second","native":"0x5e52B000Df3D855dff67B7726c9Be9DD0f52D806","since":"2024-07-12","reason":"Locked by the portal; minted again in Cloudharbour"},"contract":"0x5e52b000df3d855dff67b7726c9be9dd0f52d806","return":"0x000000000000000000000000000000000000000000078ba284cda73b07209a5a","decimals":18,"amount":"9121887.620449881051667034","counted":false},{"entry":{"label":"In Cloudharbour","bucket":"issued","bridge":"portal","chain":"third","erc20":"0xD8f66352C37C2AED1Fb361FCc5bE617d2EFA2aC7","since":"2024-07-12","reason":"Stands for what the portal holds, so it is not counted again"},"contract":"0xd8f66352c37c2aed1fb361fcc5be617d2efa2ac7","calldata":"0x18160ddd","return":"0x000000000000000000000000000000000000000000078b2227a7346ef33e25b5","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"9119519.725029930754254261","counted":false},{"entry":{"label":"Fees burned","bucket":"burned","chain":"second","call":"totalBurn()","to":"0x3fD3F4723707Cf9FAff8dAD6cFC95BED7e826a84","since":"2022-03-30","reason":"Half of every fee is burned"},"contract":"0x3fd3f4723707cf9faff8dad6cfc95bed7e826a84","calldata":"0x3c9f861d","return":"0x00000000000000000000000000000000000000000002a6b4ac66df1f5fe1b900","decimals":18,"amount":"3205097.312180835167877376","counted":true},{"entry":{"label":"Vesting","bucket":"locked","chain":"second","call":"reservedToken()","to":"0xfDAB19A1FA89e75FfcAA29cAf8A0D09550B6d9E6","since":"2023-01-01","reason":"Unlocks a little with every block"},"contract":"0xfdab19a1fa89e75ffcaa29caf8a0d09550b6d9e6","calldata":"0xc6f25670","return":"0x00000000000000000000000000000000000000000011e7cdf4fcfac9c1c4b4c9","decimals":18,"amount":"21646404.826787078304216265","counted":true},{"entry":{"label":"Treasury","bucket":"reserved","chain":"second","native":"0x53b2e266BAF67C7D54aF36806e888914f7f6f47F","since":"2022-03-30","reason":"Funds that the council spends in public"},"contract":"0x53b2e266baf67c7d54af36806e888914f7f6f47f","return":"0x0000000000000000000000000000000000000000000666eb81545540240f7ca6","decimals":18,"amount":"7739580.602965063512325286","counted":true},{"entry":{"label":"Team grant","bucket":"reserved","amount":"2500000","since":"2024-01-01","reason":"Promised and not yet handed over; declared, not measured"},"decimals":18,"amount":"2500000","counted":true}],"figures":{"totalSupply":"115199055.287687928081490099","circulatingSupply":"83313069.857935786264948548","burnedSupply":"3205097.312180835167877376","lockedSupply":"21646404.826787078304216265","reservedSupply":"10239580.602965063512325286"}}},"confirmed":"2026-07-04T02:00:00Z","recent":null,"decimals":{"1/0x":18}}'),
	('crystal', 1795120987299382, '{"token":"crystal","snapshot":{"format":"petsupply-snapshot/1","token":"crystal","asOf":"2026-07-04T01:00:00Z","measuredAt":"2026-07-04T01:00:00Z","totalSupply":"87307544.912360004691251863","circulatingSupply":"64016157.192544111823507895","burnedSupply":"5011401.486781001098453998","lockedSupply":"18902051.561815892867743968","reservedSupply":"4389336.158","maxSupply":"250000000","blocks":[{"chain":"second","chainId":990000002,"number":18939600,"hash":"0x1c6533062d1b767015d267350eb3f1b5000000000120fed00000000000000000","parentHash":"0xb7285cecea61509d73cd6af503d7f755000000000120fecf0000000000000000","time":"2026-07-04T01:00:00Z"},{"chain":"third","chainId":990000003,"number":15768900,"hash":"0xf6c19d473186b3970573f266e8c3e7070000000000f09d440000000000000000","parentHash":"0x4e659c28cae9eebe34676409e1b4200a0000000000f09d430000000000000000","time":"2026-07-04T01:00:00Z"}],"ledger":"ecec7bb91e222b4e4a48b767c8092967179f57c07f057682cbad9e5e4393de1b","evidence":"eadc53b2e7a1eb8decaf13d4bbcb842c14fdbc1519b3b5a1d50f612e7058ec4a","previous":"","id":"00f5daae8fe972f4939079c5751b316f224bb5770f5853fe5af534b49cd5b66b","measurement":{"format":"petsupply-evidence/2","token":"crystal","symbol":"CRYSTAL","decimals":18,"asOf":"2026-07-04T01:00:00Z","measuredAt":"2026-07-04T01:00:00Z","snapshot":"00f5daae8fe972f4939079c5751b316f224bb5770f5853fe5af534b49cd5b66b","ledger":"ecec7bb91e222b4e4a48b767c8092967179f57c07f057682cbad9e5e4393de1b","maxSupply":"250000000","formula":"total = sum of counted issued - sum of burned; circulating = total - sum of locked - sum of reserved; issued counts unless it carries a bridge with count source; escrowed is never counted; an amount is its return value divided by 10^decimals, rounded down to the token''s decimals","bridges":{"relay":{"count":"sum","slack":"60000"}},"chains":[{"chain":"second","chainId":990000002,"number":18939600,"hash":"0x1c6533062d1b767015d267350eb3f1b5000000000120fed00000000000000000","parentHash":"0xb7285cecea61509d73cd6af503d7f755000000000120fecf0000000000000000","time":"2026-07-04T01:00:00Z"},{"chain":"third","chainId":990000003,"number":15768900,"hash":"0xf6c19d473186b3970573f266e8c3e7070000000000f09d440000000000000000","parentHash":"0x4e659c28cae9eebe34676409e1b4200a0000000000f09d430000000000000000","time":"2026-07-04T01:00:00Z"}],"entries":[{"entry":{"label":"In Emberreach","bucket":"issued","bridge":"relay","chain":"second","erc20":"0x3158cDD9b7067914944d1Ea2779c8B3364308B6d","since":"2022-05-01","reason":"Issued in Emberreach"},"contract":"0x3158cdd9b7067914944d1ea2779c8b3364308b6d","calldata":"0x18160ddd","return":"0x000000000000000000000000000000000000000000473b60e91e0c1e4aa5e44e","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"86114140.500436040968168526","counted":true},{"entry":{"label":"In Cloudharbour","bucket":"issued","bridge":"relay","chain":"third","erc20":"0xc039c7fD580AE23AD1a2D8d1eB7BeEabf62964E3","since":"2024-07-12","reason":"The relay burns on one side and mints on the other, so both count"},"contract":"0xc039c7fd580ae23ad1a2d8d1eb7beeabf62964e3","calldata":"0x18160ddd","return":"0x0000000000000000000000000000000000000000000521eb33a6a193f5055237","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"6204805.898704964821537335","counted":true},{"entry":{"label":"Dead address","bucket":"burned","chain":"second","erc20":"0x3158cDD9b7067914944d1Ea2779c8B3364308B6d","holder":"0x000000000000000000000000000000000000dEaD","since":"2022-05-01","reason":"Sent where nobody has the key"},"contract":"0x3158cdd9b7067914944d1ea2779c8b3364308b6d","calldata":"0x70a08231000000000000000000000000000000000000000000000000000000000000dead","return":"0x0000000000000000000000000000000000000000000425349e740c4bb765e3ee","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"5011401.486781001098453998","counted":true},{"entry":{"label":"Time locks","bucket":"locked","chain":"second","call":"totalLock()","to":"0x3158cDD9b7067914944d1Ea2779c8B3364308B6d","since":"2022-05-01","reason":"Rewards that unlock a little every hour"},"contract":"0x3158cdd9b7067914944d1ea2779c8b3364308b6d","calldata":"0x3a1aae35","return":"0x0000000000000000000000000000000000000000000fa2aa44b50e42063900e0","decimals":18,"amount":"18902051.561815892867743968","counted":true},{"entry":{"label":"Treasury","bucket":"reserved","chain":"second","erc20":"0x3158cDD9b7067914944d1Ea2779c8B3364308B6d","holder":"0x53b2e266BAF67C7D54aF36806e888914f7f6f47F","since":"2022-05-01","reason":"Funds that the council spends in public"},"contract":"0x3158cdd9b7067914944d1ea2779c8b3364308b6d","calldata":"0x70a0823100000000000000000000000053b2e266baf67c7d54af36806e888914f7f6f47f","return":"0x00000000000000000000000000000000000000000003a17a63d1615732e30000","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"4389336.158","counted":true}],"figures":{"totalSupply":"87307544.912360004691251863","circulatingSupply":"64016157.192544111823507895","burnedSupply":"5011401.486781001098453998","lockedSupply":"18902051.561815892867743968","reservedSupply":"4389336.158"}}},"confirmed":"2026-07-04T01:00:00Z","held":{"candidate":{"format":"petsupply-snapshot/1","token":"crystal","asOf":"2026-07-04T02:00:00Z","measuredAt":"2026-07-04T02:00:00Z","totalSupply":"87307643.655019044065692772","circulatingSupply":"64015456.861484849529185643","burnedSupply":"5011435.513114224754273891","lockedSupply":"18901620.476534194536507129","reservedSupply":"4390566.317","maxSupply":"250000000","blocks":[{"chain":"second","chainId":990000002,"number":18940320,"hash":"0xc416ca362739051474b4ff7d5b42558d00000000012101a00000000000000000","parentHash":"0x34f1d140a5c6b8845a33fe367ced630d000000000121019f0000000000000000","time":"2026-07-04T02:00:00Z"},{"chain":"third","chainId":990000003,"number":15769800,"hash":"0x02b7a6ba19e41b90f8efd4fea2e0078d0000000000f0a0c80000000000000000","parentHash":"0xbe936bf01b677174ff972adfbdcd65a90000000000f0a0c70000000000000000","time":"2026-07-04T02:00:00Z"}],"ledger":"ecec7bb91e222b4e4a48b767c8092967179f57c07f057682cbad9e5e4393de1b","evidence":"862523bd258651a796ed4c152e57d8a706df8137fe78caa9882c26d8fe04f4a2","previous":"","id":"1508492cd01c9ea61dcd1bc037aa373d6194908e245c9ed88ee4838a5a6ef03a","measurement":{"format":"petsupply-evidence/2","token":"crystal","symbol":"CRYSTAL","decimals":18,"asOf":"2026-07-04T02:00:00Z","measuredAt":"2026-07-04T02:00:00Z","snapshot":"1508492cd01c9ea61dcd1bc037aa373d6194908e245c9ed88ee4838a5a6ef03a","ledger":"ecec7bb91e222b4e4a48b767c8092967179f57c07f057682cbad9e5e4393de1b","maxSupply":"250000000","formula":"total = sum of counted issued - sum of burned; circulating = total - sum of locked - sum of reserved; issued counts unless it carries a bridge with count source; escrowed is never counted; an amount is its return value divided by 10^decimals, rounded down to the token''s decimals","bridges":{"relay":{"count":"sum","slack":"60000"}},"chains":[{"chain":"second","chainId":990000002,"number":18940320,"hash":"0xc416ca362739051474b4ff7d5b42558d00000000012101a00000000000000000","parentHash":"0x34f1d140a5c6b8845a33fe367ced630d000000000121019f0000000000000000","time":"2026-07-04T02:00:00Z"},{"chain":"third","chainId":990000003,"number":15769800,"hash":"0x02b7a6ba19e41b90f8efd4fea2e0078d0000000000f0a0c80000000000000000","parentHash":"0xbe936bf01b677174ff972adfbdcd65a90000000000f0a0c70000000000000000","time":"2026-07-04T02:00:00Z"}],"entries":[{"entry":{"label":"In Emberreach","bucket":"issued","bridge":"relay","chain":"second","erc20":"0x3158cDD9b7067914944d1Ea2779c8B3364308B6d","since":"2022-05-01","reason":"Issued in Emberreach"},"contract":"0x3158cdd9b7067914944d1ea2779c8b3364308b6d","calldata":"0x18160ddd","return":"0x000000000000000000000000000000000000000000473b28aacfae9d9aa0a733","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"86113102.993139227407984435","counted":true},{"entry":{"label":"In Cloudharbour","bucket":"issued","bridge":"relay","chain":"third","erc20":"0xc039c7fD580AE23AD1a2D8d1eB7BeEabf62964E3","since":"2024-07-12","reason":"The relay burns on one side and mints on the other, so both count"},"contract":"0xc039c7fd580ae23ad1a2d8d1eb7beeabf62964e3","calldata":"0x18160ddd","return":"0x00000000000000000000000000000000000000000005222aa47f361a858bd394","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"6205976.174994041411982228","counted":true},{"entry":{"label":"Dead address","bucket":"burned","chain":"second","erc20":"0x3158cDD9b7067914944d1Ea2779c8B3364308B6d","holder":"0x000000000000000000000000000000000000dEaD","since":"2022-05-01","reason":"Sent where nobody has the key"},"contract":"0x3158cdd9b7067914944d1ea2779c8b3364308b6d","calldata":"0x70a08231000000000000000000000000000000000000000000000000000000000000dead","return":"0x00000000000000000000000000000000000000000004253676a9de155c79ae63","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"5011435.513114224754273891","counted":true},{"entry":{"label":"Time locks","bucket":"locked","chain":"second","call":"totalLock()","to":"0x3158cDD9b7067914944d1Ea2779c8B3364308B6d","since":"2022-05-01","reason":"Rewards that unlock a little every hour"},"contract":"0x3158cdd9b7067914944d1ea2779c8b3364308b6d","calldata":"0x3a1aae35","return":"0x0000000000000000000000000000000000000000000fa292e6327a8a7dfce6f9","decimals":18,"amount":"18901620.476534194536507129","counted":true},{"entry":{"label":"Treasury","bucket":"reserved","chain":"second","erc20":"0x3158cDD9b7067914944d1Ea2779c8B3364308B6d","holder":"0x53b2e266BAF67C7D54aF36806e888914f7f6f47F","since":"2022-05-01","reason":"Funds that the council spends in public"},"contract":"0x3158cdd9b7067914944d1ea2779c8b3364308b6d","calldata":"0x70a0823100000000000000000000000053b2e266baf67c7d54af36806e888914f7f6f47f","return":"0x00000000000000000000000000000000000000000003a1bd13b4162dcca48000","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"4390566.317","counted":true}],"figures":{"totalSupply":"87307643.655019044065692772","circulatingSupply":"64015456.861484849529185643","burnedSupply":"5011435.513114224754273891","lockedSupply":"18901620.476534194536507129","reservedSupply":"4390566.317"}}},"reason":"total rose by 12 %","since":"2026-07-04T02:00:00Z","from":"2026-07-04T02:00:00Z","last":{"measuredAt":"0001-01-01T00:00:00Z","asOf":"0001-01-01T00:00:00Z"},"sum":60000000000},"recent":null,"decimals":{"1/0x":18}}'),
	('jade', 1795120987306583, '{"token":"jade","snapshot":{"format":"petsupply-snapshot/1","token":"jade","asOf":"2026-07-04T02:00:00Z","measuredAt":"2026-07-04T02:00:00Z","totalSupply":"120483102.576788809549994767","circulatingSupply":"84702870.845546833318658174","burnedSupply":"11411631.434227500617038458","lockedSupply":"26111007.351241976231336593","reservedSupply":"9669224.38","maxSupply":"250000000","blocks":[{"chain":"third","chainId":990000003,"number":15769800,"hash":"0x02b7a6ba19e41b90f8efd4fea2e0078d0000000000f0a0c80000000000000000","parentHash":"0xbe936bf01b677174ff972adfbdcd65a90000000000f0a0c70000000000000000","time":"2026-07-04T02:00:00Z"}],"ledger":"3011e1c90d4002c62771b91d867a3a2adc9b63d8297fbae3e74efaef737b03af","evidence":"871ec424810bcf466d54a372404ad1ce123b20c2f8e8521e63f1368adbe5ab64","previous":"","id":"a89419b6826ae28755ef4dd60eeb893c023a454a6ce781cc447b2748443e4f9c","measurement":{"format":"petsupply-evidence/2","token":"jade","symbol":"JADE","decimals":18,"asOf":"2026-07-04T02:00:00Z","measuredAt":"2026-07-04T02:00:00Z","snapshot":"a89419b6826ae28755ef4dd60eeb893c023a454a6ce781cc447b2748443e4f9c","ledger":"3011e1c90d4002c62771b91d867a3a2adc9b63d8297fbae3e74efaef737b03af","maxSupply":"250000000","formula":"total = sum of counted issued - sum of burned; circulating = total - sum of locked - sum of reserved; issued counts unless it carries a bridge with count source; escrowed is never counted; an amount is its return value divided by 10^decimals, rounded down to the token''s decimals","bridges":{},"chains":[{"chain":"third","chainId":990000003,"number":15769800,"hash":"0x02b7a6ba19e41b90f8efd4fea2e0078d0000000000f0a0c80000000000000000","parentHash":"0xbe936bf01b677174ff972adfbdcd65a90000000000f0a0c70000000000000000","time":"2026-07-04T02:00:00Z"}],"entries":[{"entry":{"label":"Minted","bucket":"issued","chain":"third","erc20":"0xD4C4cbD25e9Ab0E6278371F9201187588Eb86018","since":"2022-12-01","reason":"Issued in Cloudharbour"},"contract":"0xd4c4cbd25e9ab0e6278371f9201187588eb86018","calldata":"0x18160ddd","return":"0x0000000000000000000000000000000000000000006d19cbdb92b0f95cb5d589","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"131894734.011016310167033225","counted":true},{"entry":{"label":"Dead address","bucket":"burned","chain":"third","erc20":"0xD4C4cbD25e9Ab0E6278371F9201187588Eb86018","holder":"0x000000000000000000000000000000000000dEaD","since":"2022-12-01","reason":"Sent where nobody has the key"},"contract":"0xd4c4cbd25e9ab0e6278371f9201187588eb86018","calldata":"0x70a08231000000000000000000000000000000000000000000000000000000000000dead","return":"0x000000000000000000000000000000000000000000097081c795cf506357fa7a","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"11411631.434227500617038458","counted":true},{"entry":{"label":"Time locks","bucket":"locked","chain":"third","call":"totalLock()","to":"0xD4C4cbD25e9Ab0E6278371F9201187588Eb86018","since":"2022-12-01","reason":"Rewards that unlock a little every hour"},"contract":"0xd4c4cbd25e9ab0e6278371f9201187588eb86018","calldata":"0x3a1aae35","return":"0x0000000000000000000000000000000000000000001599388b78048edc959a91","decimals":18,"amount":"26111007.351241976231336593","counted":true},{"entry":{"label":"Treasury","bucket":"reserved","chain":"third","erc20":"0xD4C4cbD25e9Ab0E6278371F9201187588Eb86018","holder":"0x53b2e266BAF67C7D54aF36806e888914f7f6f47F","since":"2022-12-01","reason":"Funds that the council spends in public"},"contract":"0xd4c4cbd25e9ab0e6278371f9201187588eb86018","calldata":"0x70a0823100000000000000000000000053b2e266baf67c7d54af36806e888914f7f6f47f","return":"0x00000000000000000000000000000000000000000007ff89b43637a07f460000","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"9669224.38","counted":true}],"figures":{"totalSupply":"120483102.576788809549994767","circulatingSupply":"84702870.845546833318658174","burnedSupply":"11411631.434227500617038458","lockedSupply":"26111007.351241976231336593","reservedSupply":"9669224.38"}}},"confirmed":"2026-07-04T02:00:00Z","recent":null,"decimals":{"1/0x":18}}');


INSERT INTO public.reading VALUES
	('jewel', 1, 1783123200000, 1783123200000, 1783123200000, 'a6cb6760bd9deb3f993dfc73fceec0fbf0010df3f7da7aa74ec3004afc6360a7', 'aa409287e9240f806a3909c563878ae40501cc4e90cca2f851dd41da6d96e531', '115198189.266387521372176706', '83315839.483425409668125212', '3204899.652948098875582218', '21649218.730050246365368366', '10233131.052911865338683128', '[{"chain":"second","chainId":990000002,"number":18938880,"hash":"0x7b737c83854105523a837377da4cd564000000000120fc000000000000000000","parentHash":"0x1e1667dacec88a8b1c835487b6464f03000000000120fbff0000000000000000","time":"2026-07-04T00:00:00Z"},{"chain":"third","chainId":990000003,"number":15768000,"hash":"0x7c52ba595fe1ab6f75931f8bddd4cde20000000000f099c00000000000000000","parentHash":"0x3c318f338cb23b9b9619b56479c22f8d0000000000f099bf0000000000000000","time":"2026-07-04T00:00:00Z"}]', 1, '{"format":"petsupply-evidence/2","token":"jewel","symbol":"JEWEL","decimals":18,"asOf":"2026-07-04T00:00:00Z","measuredAt":"2026-07-04T00:00:00Z","snapshot":"a6cb6760bd9deb3f993dfc73fceec0fbf0010df3f7da7aa74ec3004afc6360a7","ledger":"aa409287e9240f806a3909c563878ae40501cc4e90cca2f851dd41da6d96e531","maxSupply":"125000000","formula":"total = sum of counted issued - sum of burned; circulating = total - sum of locked - sum of reserved; issued counts unless it carries a bridge with count source; escrowed is never counted; an amount is its return value divided by 10^decimals, rounded down to the token''s decimals","bridges":{"portal":{"count":"source","slack":"5000"}},"chains":[{"chain":"second","chainId":990000002,"number":18938880,"hash":"0x7b737c83854105523a837377da4cd564000000000120fc000000000000000000","parentHash":"0x1e1667dacec88a8b1c835487b6464f03000000000120fbff0000000000000000","time":"2026-07-04T00:00:00Z"},{"chain":"third","chainId":990000003,"number":15768000,"hash":"0x7c52ba595fe1ab6f75931f8bddd4cde20000000000f099c00000000000000000","parentHash":"0x3c318f338cb23b9b9619b56479c22f8d0000000000f099bf0000000000000000","time":"2026-07-04T00:00:00Z"}],"entries":[{"entry":{"label":"Minted","bucket":"issued","chain":"second","call":"totalMinted()","to":"0xe10A6aaEfB59B969A7A5a23b63A617eAf9518474","since":"2022-03-30","reason":"Everything that was ever minted, as the mint itself counts it"},"contract":"0xe10a6aaefb59b969a7a5a23b63a617eaf9518474","calldata":"0xa2309ff8","return":"0x00000000000000000000000000000000000000000061f0d44fcff4a7687b284c","decimals":18,"amount":"118403088.919335620247758924","counted":true},{"entry":{"label":"Held for Cloudharbour","bucket":"escrowed","bridge":"portal","chain":"second","native":"0x5e52B000Df3D855dff67B7726c9Be9DD0f52D806","since":"2024-07-12","reason":"Locked by the portal; minted again in Cloudharbour"},"contract":"0x5e52b000df3d855dff67b7726c9be9dd0f52d806","return":"0x000000000000000000000000000000000000000000078b510d3a53caaf33396e","decimals":18,"amount":"9120384.817857656511478126","counted":false},{"entry":{"label":"In Cloudharbour","bucket":"issued","bridge":"portal","chain":"third","erc20":"0xD8f66352C37C2AED1Fb361FCc5bE617d2EFA2aC7","since":"2024-07-12","reason":"Stands for what the portal holds, so it is not counted again"},"contract":"0xd8f66352c37c2aed1fb361fcc5be617d2efa2ac7","calldata":"0x18160ddd","return":"0x000000000000000000000000000000000000000000078ae1b4406e59a2db396e","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"9118330.817857656511478126","counted":false},{"entry":{"label":"Fees burned","bucket":"burned","chain":"second","call":"totalBurn()","to":"0x3fD3F4723707Cf9FAff8dAD6cFC95BED7e826a84","since":"2022-03-30","reason":"Half of every fee is burned"},"contract":"0x3fd3f4723707cf9faff8dad6cfc95bed7e826a84","calldata":"0x3c9f861d","return":"0x00000000000000000000000000000000000000000002a6a9f554363140eae70a","decimals":18,"amount":"3204899.652948098875582218","counted":true},{"entry":{"label":"Vesting","bucket":"locked","chain":"second","call":"reservedToken()","to":"0xfDAB19A1FA89e75FfcAA29cAf8A0D09550B6d9E6","since":"2023-01-01","reason":"Unlocks a little with every block"},"contract":"0xfdab19a1fa89e75ffcaa29caf8a0d09550b6d9e6","calldata":"0xc6f25670","return":"0x00000000000000000000000000000000000000000011e8667fbd97f0e693502e","decimals":18,"amount":"21649218.730050246365368366","counted":true},{"entry":{"label":"Treasury","bucket":"reserved","chain":"second","native":"0x53b2e266BAF67C7D54aF36806e888914f7f6f47F","since":"2022-03-30","reason":"Funds that the council spends in public"},"contract":"0x53b2e266baf67c7d54af36806e888914f7f6f47f","return":"0x00000000000000000000000000000000000000000006658ddfd7a30c29365ef8","decimals":18,"amount":"7733131.052911865338683128","counted":true},{"entry":{"label":"Team grant","bucket":"reserved","amount":"2500000","since":"2024-01-01","reason":"Promised and not yet handed over; declared, not measured"},"decimals":18,"amount":"2500000","counted":true}],"figures":{"totalSupply":"115198189.266387521372176706","circulatingSupply":"83315839.483425409668125212","burnedSupply":"3204899.652948098875582218","lockedSupply":"21649218.730050246365368366","reservedSupply":"10233131.052911865338683128"}}'),
	('crystal', 1, 1783123200000, 1783123200000, 1783123200000, '31e080ada1fb46bf6143e68c948a124010c6ccf770869a585b47e48391610686', 'ecec7bb91e222b4e4a48b767c8092967179f57c07f057682cbad9e5e4393de1b', '87307851.293112592184916138', '64017473.082415006691589951', '5011332.256498141437768936', '18902272.210697585493326187', '4388106', '[{"chain":"second","chainId":990000002,"number":18938880,"hash":"0x7b737c83854105523a837377da4cd564000000000120fc000000000000000000","parentHash":"0x1e1667dacec88a8b1c835487b6464f03000000000120fbff0000000000000000","time":"2026-07-04T00:00:00Z"},{"chain":"third","chainId":990000003,"number":15768000,"hash":"0x7c52ba595fe1ab6f75931f8bddd4cde20000000000f099c00000000000000000","parentHash":"0x3c318f338cb23b9b9619b56479c22f8d0000000000f099bf0000000000000000","time":"2026-07-04T00:00:00Z"}]', 1, '{"format":"petsupply-evidence/2","token":"crystal","symbol":"CRYSTAL","decimals":18,"asOf":"2026-07-04T00:00:00Z","measuredAt":"2026-07-04T00:00:00Z","snapshot":"31e080ada1fb46bf6143e68c948a124010c6ccf770869a585b47e48391610686","ledger":"ecec7bb91e222b4e4a48b767c8092967179f57c07f057682cbad9e5e4393de1b","maxSupply":"250000000","formula":"total = sum of counted issued - sum of burned; circulating = total - sum of locked - sum of reserved; issued counts unless it carries a bridge with count source; escrowed is never counted; an amount is its return value divided by 10^decimals, rounded down to the token''s decimals","bridges":{"relay":{"count":"sum","slack":"60000"}},"chains":[{"chain":"second","chainId":990000002,"number":18938880,"hash":"0x7b737c83854105523a837377da4cd564000000000120fc000000000000000000","parentHash":"0x1e1667dacec88a8b1c835487b6464f03000000000120fbff0000000000000000","time":"2026-07-04T00:00:00Z"},{"chain":"third","chainId":990000003,"number":15768000,"hash":"0x7c52ba595fe1ab6f75931f8bddd4cde20000000000f099c00000000000000000","parentHash":"0x3c318f338cb23b9b9619b56479c22f8d0000000000f099bf0000000000000000","time":"2026-07-04T00:00:00Z"}],"entries":[{"entry":{"label":"In Emberreach","bucket":"issued","bridge":"relay","chain":"second","erc20":"0x3158cDD9b7067914944d1Ea2779c8B3364308B6d","since":"2022-05-01","reason":"Issued in Emberreach"},"contract":"0x3158cdd9b7067914944d1ea2779c8b3364308b6d","calldata":"0x18160ddd","return":"0x000000000000000000000000000000000000000000473b92ac6ff994751699d8","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"86115058.465187055019661784","counted":true},{"entry":{"label":"In Cloudharbour","bucket":"issued","bridge":"relay","chain":"third","erc20":"0xc039c7fD580AE23AD1a2D8d1eB7BeEabf62964E3","since":"2024-07-12","reason":"The relay burns on one side and mints on the other, so both count"},"contract":"0xc039c7fd580ae23ad1a2d8d1eb7beeabf62964e3","calldata":"0x18160ddd","return":"0x0000000000000000000000000000000000000000000521c64b746bdb5717d3ba","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"6204125.08442367860302329","counted":true},{"entry":{"label":"Dead address","bucket":"burned","chain":"second","erc20":"0x3158cDD9b7067914944d1Ea2779c8B3364308B6d","holder":"0x000000000000000000000000000000000000dEaD","since":"2022-05-01","reason":"Sent where nobody has the key"},"contract":"0x3158cdd9b7067914944d1ea2779c8b3364308b6d","calldata":"0x70a08231000000000000000000000000000000000000000000000000000000000000dead","return":"0x000000000000000000000000000000000000000000042530ddb0acd5298234e8","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"5011332.256498141437768936","counted":true},{"entry":{"label":"Time locks","bucket":"locked","chain":"second","call":"totalLock()","to":"0x3158cDD9b7067914944d1Ea2779c8B3364308B6d","since":"2022-05-01","reason":"Rewards that unlock a little every hour"},"contract":"0x3158cdd9b7067914944d1ea2779c8b3364308b6d","calldata":"0x3a1aae35","return":"0x0000000000000000000000000000000000000000000fa2b63ad35b1c065cb96b","decimals":18,"amount":"18902272.210697585493326187","counted":true},{"entry":{"label":"Treasury","bucket":"reserved","chain":"second","erc20":"0x3158cDD9b7067914944d1Ea2779c8B3364308B6d","holder":"0x53b2e266BAF67C7D54aF36806e888914f7f6f47F","since":"2022-05-01","reason":"Funds that the council spends in public"},"contract":"0x3158cdd9b7067914944d1ea2779c8b3364308b6d","calldata":"0x70a0823100000000000000000000000053b2e266baf67c7d54af36806e888914f7f6f47f","return":"0x00000000000000000000000000000000000000000003a137b3f239ff3de80000","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"4388106","counted":true}],"figures":{"totalSupply":"87307851.293112592184916138","circulatingSupply":"64017473.082415006691589951","burnedSupply":"5011332.256498141437768936","lockedSupply":"18902272.210697585493326187","reservedSupply":"4388106"}}'),
	('jade', 1, 1783123200000, 1783123200000, 1783123200000, '314e9ba8d091e232b209360ac5e008a201521bd5689b7828e298d97ed3d41c2f', '3011e1c90d4002c62771b91d867a3a2adc9b63d8297fbae3e74efaef737b03af', '120475762.90853475661482662', '84707317.350980188718996943', '11409424.051920313654467463', '26117673.557554567895829677', '9650772', '[{"chain":"third","chainId":990000003,"number":15768000,"hash":"0x7c52ba595fe1ab6f75931f8bddd4cde20000000000f099c00000000000000000","parentHash":"0x3c318f338cb23b9b9619b56479c22f8d0000000000f099bf0000000000000000","time":"2026-07-04T00:00:00Z"}]', 1, '{"format":"petsupply-evidence/2","token":"jade","symbol":"JADE","decimals":18,"asOf":"2026-07-04T00:00:00Z","measuredAt":"2026-07-04T00:00:00Z","snapshot":"314e9ba8d091e232b209360ac5e008a201521bd5689b7828e298d97ed3d41c2f","ledger":"3011e1c90d4002c62771b91d867a3a2adc9b63d8297fbae3e74efaef737b03af","maxSupply":"250000000","formula":"total = sum of counted issued - sum of burned; circulating = total - sum of locked - sum of reserved; issued counts unless it carries a bridge with count source; escrowed is never counted; an amount is its return value divided by 10^decimals, rounded down to the token''s decimals","bridges":{},"chains":[{"chain":"third","chainId":990000003,"number":15768000,"hash":"0x7c52ba595fe1ab6f75931f8bddd4cde20000000000f099c00000000000000000","parentHash":"0x3c318f338cb23b9b9619b56479c22f8d0000000000f099bf0000000000000000","time":"2026-07-04T00:00:00Z"}],"entries":[{"entry":{"label":"Minted","bucket":"issued","chain":"third","erc20":"0xD4C4cbD25e9Ab0E6278371F9201187588Eb86018","since":"2022-12-01","reason":"Issued in Cloudharbour"},"contract":"0xd4c4cbd25e9ab0e6278371f9201187588eb86018","calldata":"0x18160ddd","return":"0x0000000000000000000000000000000000000000006d17c64fa191f7d6e7c603","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"131885186.960455070269294083","counted":true},{"entry":{"label":"Dead address","bucket":"burned","chain":"third","erc20":"0xD4C4cbD25e9Ab0E6278371F9201187588Eb86018","holder":"0x000000000000000000000000000000000000dEaD","since":"2022-12-01","reason":"Sent where nobody has the key"},"contract":"0xd4c4cbd25e9ab0e6278371f9201187588eb86018","calldata":"0x70a08231000000000000000000000000000000000000000000000000000000000000dead","return":"0x00000000000000000000000000000000000000000009700a1e007e23e2405b87","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"11409424.051920313654467463","counted":true},{"entry":{"label":"Time locks","bucket":"locked","chain":"third","call":"totalLock()","to":"0xD4C4cbD25e9Ab0E6278371F9201187588Eb86018","since":"2022-12-01","reason":"Rewards that unlock a little every hour"},"contract":"0xd4c4cbd25e9ab0e6278371f9201187588eb86018","calldata":"0x3a1aae35","return":"0x000000000000000000000000000000000000000000159aa1ebaa5ec91157ccad","decimals":18,"amount":"26117673.557554567895829677","counted":true},{"entry":{"label":"Treasury","bucket":"reserved","chain":"third","erc20":"0xD4C4cbD25e9Ab0E6278371F9201187588Eb86018","holder":"0x53b2e266BAF67C7D54aF36806e888914f7f6f47F","since":"2022-12-01","reason":"Funds that the council spends in public"},"contract":"0xd4c4cbd25e9ab0e6278371f9201187588eb86018","calldata":"0x70a0823100000000000000000000000053b2e266baf67c7d54af36806e888914f7f6f47f","return":"0x00000000000000000000000000000000000000000007fba165ff6286b4d00000","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"9650772","counted":true}],"figures":{"totalSupply":"120475762.90853475661482662","circulatingSupply":"84707317.350980188718996943","burnedSupply":"11409424.051920313654467463","lockedSupply":"26117673.557554567895829677","reservedSupply":"9650772"}}'),
	('jewel', 2, 1783126800000, 1783126800000, 1783126800000, '4627b285493944aeea3dce97475fed00c1657e3d010699c224b9cce7d29c223a', 'aa409287e9240f806a3909c563878ae40501cc4e90cca2f851dd41da6d96e531', '115198568.768052697356324643', '83313648.082836728158872575', '3205041.373659148446749895', '21648565.947084340788424015', '10236354.738131628409028053', '[{"chain":"second","chainId":990000002,"number":18939600,"hash":"0x1c6533062d1b767015d267350eb3f1b5000000000120fed00000000000000000","parentHash":"0xb7285cecea61509d73cd6af503d7f755000000000120fecf0000000000000000","time":"2026-07-04T01:00:00Z"},{"chain":"third","chainId":990000003,"number":15768900,"hash":"0xf6c19d473186b3970573f266e8c3e7070000000000f09d440000000000000000","parentHash":"0x4e659c28cae9eebe34676409e1b4200a0000000000f09d430000000000000000","time":"2026-07-04T01:00:00Z"}]', 0, '{"format":"petsupply-evidence/2","token":"jewel","symbol":"JEWEL","decimals":18,"asOf":"2026-07-04T01:00:00Z","measuredAt":"2026-07-04T01:00:00Z","snapshot":"4627b285493944aeea3dce97475fed00c1657e3d010699c224b9cce7d29c223a","ledger":"aa409287e9240f806a3909c563878ae40501cc4e90cca2f851dd41da6d96e531","maxSupply":"125000000","formula":"total = sum of counted issued - sum of burned; circulating = total - sum of locked - sum of reserved; issued counts unless it carries a bridge with count source; escrowed is never counted; an amount is its return value divided by 10^decimals, rounded down to the token''s decimals","bridges":{"portal":{"count":"source","slack":"5000"}},"chains":[{"chain":"second","chainId":990000002,"number":18939600,"hash":"0x1c6533062d1b767015d267350eb3f1b5000000000120fed00000000000000000","parentHash":"0xb7285cecea61509d73cd6af503d7f755000000000120fecf0000000000000000","time":"2026-07-04T01:00:00Z"},{"chain":"third","chainId":990000003,"number":15768900,"hash":"0xf6c19d473186b3970573f266e8c3e7070000000000f09d440000000000000000","parentHash":"0x4e659c28cae9eebe34676409e1b4200a0000000000f09d430000000000000000","time":"2026-07-04T01:00:00Z"}],"entries":[{"entry":{"label":"Minted","bucket":"issued","chain":"second","call":"totalMinted()","to":"0xe10A6aaEfB59B969A7A5a23b63A617eAf9518474","since":"2022-03-30","reason":"Everything that was ever minted, as the mint itself counts it"},"contract":"0xe10a6aaefb59b969a7a5a23b63a617eaf9518474","calldata":"0xa2309ff8","return":"0x00000000000000000000000000000000000000000061f0f09139d246cdb6a3ea","decimals":18,"amount":"118403610.141711845803074538","counted":true},{"entry":{"label":"Held for Cloudharbour","bucket":"escrowed","bridge":"portal","chain":"second","native":"0x5e52B000Df3D855dff67B7726c9Be9DD0f52D806","since":"2024-07-12","reason":"Locked by the portal; minted again in Cloudharbour"},"contract":"0x5e52b000df3d855dff67b7726c9be9dd0f52d806","return":"0x000000000000000000000000000000000000000000078b79adfc53fa283ab59b","decimals":18,"amount":"9121134.271442000337876379","counted":false},{"entry":{"label":"In Cloudharbour","bucket":"issued","bridge":"portal","chain":"third","erc20":"0xD8f66352C37C2AED1Fb361FCc5bE617d2EFA2aC7","since":"2024-07-12","reason":"Stands for what the portal holds, so it is not counted again"},"contract":"0xd8f66352c37c2aed1fb361fcc5be617d2efa2ac7","calldata":"0x18160ddd","return":"0x000000000000000000000000000000000000000000078af9675c43caa974ec88","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"9118767.99911519041021044","counted":false},{"entry":{"label":"Fees burned","bucket":"burned","chain":"second","call":"totalBurn()","to":"0x3fD3F4723707Cf9FAff8dAD6cFC95BED7e826a84","since":"2022-03-30","reason":"Half of every fee is burned"},"contract":"0x3fd3f4723707cf9faff8dad6cfc95bed7e826a84","calldata":"0x3c9f861d","return":"0x00000000000000000000000000000000000000000002a6b1a4195206026254c7","decimals":18,"amount":"3205041.373659148446749895","counted":true},{"entry":{"label":"Vesting","bucket":"locked","chain":"second","call":"reservedToken()","to":"0xfDAB19A1FA89e75FfcAA29cAf8A0D09550B6d9E6","since":"2023-01-01","reason":"Unlocks a little with every block"},"contract":"0xfdab19a1fa89e75ffcaa29caf8a0d09550b6d9e6","calldata":"0xc6f25670","return":"0x00000000000000000000000000000000000000000011e8431c8e9f0ad2bb6d4f","decimals":18,"amount":"21648565.947084340788424015","counted":true},{"entry":{"label":"Treasury","bucket":"reserved","chain":"second","native":"0x53b2e266BAF67C7D54aF36806e888914f7f6f47F","since":"2022-03-30","reason":"Funds that the council spends in public"},"contract":"0x53b2e266baf67c7d54af36806e888914f7f6f47f","return":"0x00000000000000000000000000000000000000000006663ca176369b1014fdd5","decimals":18,"amount":"7736354.738131628409028053","counted":true},{"entry":{"label":"Team grant","bucket":"reserved","amount":"2500000","since":"2024-01-01","reason":"Promised and not yet handed over; declared, not measured"},"decimals":18,"amount":"2500000","counted":true}],"figures":{"totalSupply":"115198568.768052697356324643","circulatingSupply":"83313648.082836728158872575","burnedSupply":"3205041.373659148446749895","lockedSupply":"21648565.947084340788424015","reservedSupply":"10236354.738131628409028053"}}'),
	('crystal', 2, 1783126800000, 1783126800000, 1783126800000, '00f5daae8fe972f4939079c5751b316f224bb5770f5853fe5af534b49cd5b66b', 'ecec7bb91e222b4e4a48b767c8092967179f57c07f057682cbad9e5e4393de1b', '87307544.912360004691251863', '64016157.192544111823507895', '5011401.486781001098453998', '18902051.561815892867743968', '4389336.158', '[{"chain":"second","chainId":990000002,"number":18939600,"hash":"0x1c6533062d1b767015d267350eb3f1b5000000000120fed00000000000000000","parentHash":"0xb7285cecea61509d73cd6af503d7f755000000000120fecf0000000000000000","time":"2026-07-04T01:00:00Z"},{"chain":"third","chainId":990000003,"number":15768900,"hash":"0xf6c19d473186b3970573f266e8c3e7070000000000f09d440000000000000000","parentHash":"0x4e659c28cae9eebe34676409e1b4200a0000000000f09d430000000000000000","time":"2026-07-04T01:00:00Z"}]', 0, '{"format":"petsupply-evidence/2","token":"crystal","symbol":"CRYSTAL","decimals":18,"asOf":"2026-07-04T01:00:00Z","measuredAt":"2026-07-04T01:00:00Z","snapshot":"00f5daae8fe972f4939079c5751b316f224bb5770f5853fe5af534b49cd5b66b","ledger":"ecec7bb91e222b4e4a48b767c8092967179f57c07f057682cbad9e5e4393de1b","maxSupply":"250000000","formula":"total = sum of counted issued - sum of burned; circulating = total - sum of locked - sum of reserved; issued counts unless it carries a bridge with count source; escrowed is never counted; an amount is its return value divided by 10^decimals, rounded down to the token''s decimals","bridges":{"relay":{"count":"sum","slack":"60000"}},"chains":[{"chain":"second","chainId":990000002,"number":18939600,"hash":"0x1c6533062d1b767015d267350eb3f1b5000000000120fed00000000000000000","parentHash":"0xb7285cecea61509d73cd6af503d7f755000000000120fecf0000000000000000","time":"2026-07-04T01:00:00Z"},{"chain":"third","chainId":990000003,"number":15768900,"hash":"0xf6c19d473186b3970573f266e8c3e7070000000000f09d440000000000000000","parentHash":"0x4e659c28cae9eebe34676409e1b4200a0000000000f09d430000000000000000","time":"2026-07-04T01:00:00Z"}],"entries":[{"entry":{"label":"In Emberreach","bucket":"issued","bridge":"relay","chain":"second","erc20":"0x3158cDD9b7067914944d1Ea2779c8B3364308B6d","since":"2022-05-01","reason":"Issued in Emberreach"},"contract":"0x3158cdd9b7067914944d1ea2779c8b3364308b6d","calldata":"0x18160ddd","return":"0x000000000000000000000000000000000000000000473b60e91e0c1e4aa5e44e","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"86114140.500436040968168526","counted":true},{"entry":{"label":"In Cloudharbour","bucket":"issued","bridge":"relay","chain":"third","erc20":"0xc039c7fD580AE23AD1a2D8d1eB7BeEabf62964E3","since":"2024-07-12","reason":"The relay burns on one side and mints on the other, so both count"},"contract":"0xc039c7fd580ae23ad1a2d8d1eb7beeabf62964e3","calldata":"0x18160ddd","return":"0x0000000000000000000000000000000000000000000521eb33a6a193f5055237","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"6204805.898704964821537335","counted":true},{"entry":{"label":"Dead address","bucket":"burned","chain":"second","erc20":"0x3158cDD9b7067914944d1Ea2779c8B3364308B6d","holder":"0x000000000000000000000000000000000000dEaD","since":"2022-05-01","reason":"Sent where nobody has the key"},"contract":"0x3158cdd9b7067914944d1ea2779c8b3364308b6d","calldata":"0x70a08231000000000000000000000000000000000000000000000000000000000000dead","return":"0x0000000000000000000000000000000000000000000425349e740c4bb765e3ee","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"5011401.486781001098453998","counted":true},{"entry":{"label":"Time locks","bucket":"locked","chain":"second","call":"totalLock()","to":"0x3158cDD9b7067914944d1Ea2779c8B3364308B6d","since":"2022-05-01","reason":"Rewards that unlock a little every hour"},"contract":"0x3158cdd9b7067914944d1ea2779c8b3364308b6d","calldata":"0x3a1aae35","return":"0x0000000000000000000000000000000000000000000fa2aa44b50e42063900e0","decimals":18,"amount":"18902051.561815892867743968","counted":true},{"entry":{"label":"Treasury","bucket":"reserved","chain":"second","erc20":"0x3158cDD9b7067914944d1Ea2779c8B3364308B6d","holder":"0x53b2e266BAF67C7D54aF36806e888914f7f6f47F","since":"2022-05-01","reason":"Funds that the council spends in public"},"contract":"0x3158cdd9b7067914944d1ea2779c8b3364308b6d","calldata":"0x70a0823100000000000000000000000053b2e266baf67c7d54af36806e888914f7f6f47f","return":"0x00000000000000000000000000000000000000000003a17a63d1615732e30000","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"4389336.158","counted":true}],"figures":{"totalSupply":"87307544.912360004691251863","circulatingSupply":"64016157.192544111823507895","burnedSupply":"5011401.486781001098453998","lockedSupply":"18902051.561815892867743968","reservedSupply":"4389336.158"}}'),
	('jade', 2, 1783126800000, 1783126800000, 1783126800000, '1621b1354f2e4b1c8291c5e89ca5b1cda4b79fed59339edd80790636e2ab90b9', '3011e1c90d4002c62771b91d867a3a2adc9b63d8297fbae3e74efaef737b03af', '120481861.170076558706350624', '84710226.777560593445785344', '11410560.850511142749339342', '26111636.20251596526056528', '9659998.19', '[{"chain":"third","chainId":990000003,"number":15768900,"hash":"0xf6c19d473186b3970573f266e8c3e7070000000000f09d440000000000000000","parentHash":"0x4e659c28cae9eebe34676409e1b4200a0000000000f09d430000000000000000","time":"2026-07-04T01:00:00Z"}]', 0, '{"format":"petsupply-evidence/2","token":"jade","symbol":"JADE","decimals":18,"asOf":"2026-07-04T01:00:00Z","measuredAt":"2026-07-04T01:00:00Z","snapshot":"1621b1354f2e4b1c8291c5e89ca5b1cda4b79fed59339edd80790636e2ab90b9","ledger":"3011e1c90d4002c62771b91d867a3a2adc9b63d8297fbae3e74efaef737b03af","maxSupply":"250000000","formula":"total = sum of counted issued - sum of burned; circulating = total - sum of locked - sum of reserved; issued counts unless it carries a bridge with count source; escrowed is never counted; an amount is its return value divided by 10^decimals, rounded down to the token''s decimals","bridges":{},"chains":[{"chain":"third","chainId":990000003,"number":15768900,"hash":"0xf6c19d473186b3970573f266e8c3e7070000000000f09d440000000000000000","parentHash":"0x4e659c28cae9eebe34676409e1b4200a0000000000f09d430000000000000000","time":"2026-07-04T01:00:00Z"}],"entries":[{"entry":{"label":"Minted","bucket":"issued","chain":"third","erc20":"0xD4C4cbD25e9Ab0E6278371F9201187588Eb86018","since":"2022-12-01","reason":"Issued in Cloudharbour"},"contract":"0xd4c4cbd25e9ab0e6278371f9201187588eb86018","calldata":"0x18160ddd","return":"0x0000000000000000000000000000000000000000006d194e8642ab9acf5a18ee","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"131892422.020587701455689966","counted":true},{"entry":{"label":"Dead address","bucket":"burned","chain":"third","erc20":"0xD4C4cbD25e9Ab0E6278371F9201187588Eb86018","holder":"0x000000000000000000000000000000000000dEaD","since":"2022-12-01","reason":"Sent where nobody has the key"},"contract":"0xd4c4cbd25e9ab0e6278371f9201187588eb86018","calldata":"0x70a08231000000000000000000000000000000000000000000000000000000000000dead","return":"0x000000000000000000000000000000000000000000097047be40657b6f15fece","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"11410560.850511142749339342","counted":true},{"entry":{"label":"Time locks","bucket":"locked","chain":"third","call":"totalLock()","to":"0xD4C4cbD25e9Ab0E6278371F9201187588Eb86018","since":"2022-12-01","reason":"Rewards that unlock a little every hour"},"contract":"0xd4c4cbd25e9ab0e6278371f9201187588eb86018","calldata":"0x3a1aae35","return":"0x00000000000000000000000000000000000000000015995aa2888a7448838b20","decimals":18,"amount":"26111636.20251596526056528","counted":true},{"entry":{"label":"Treasury","bucket":"reserved","chain":"third","erc20":"0xD4C4cbD25e9Ab0E6278371F9201187588Eb86018","holder":"0x53b2e266BAF67C7D54aF36806e888914f7f6f47F","since":"2022-12-01","reason":"Funds that the council spends in public"},"contract":"0xd4c4cbd25e9ab0e6278371f9201187588eb86018","calldata":"0x70a0823100000000000000000000000053b2e266baf67c7d54af36806e888914f7f6f47f","return":"0x00000000000000000000000000000000000000000007fd958d1acd139a0b0000","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"9659998.19","counted":true}],"figures":{"totalSupply":"120481861.170076558706350624","circulatingSupply":"84710226.777560593445785344","burnedSupply":"11410560.850511142749339342","lockedSupply":"26111636.20251596526056528","reservedSupply":"9659998.19"}}'),
	('jewel', 3, 1783130400000, 1783130400000, 1783130400000, '832b3b20fe08c60791176e1ac997a85ffe61d1f1481fa4421cea48b5547b168b', 'aa409287e9240f806a3909c563878ae40501cc4e90cca2f851dd41da6d96e531', '115199055.287687928081490099', '83313069.857935786264948548', '3205097.312180835167877376', '21646404.826787078304216265', '10239580.602965063512325286', '[{"chain":"second","chainId":990000002,"number":18940320,"hash":"0xc416ca362739051474b4ff7d5b42558d00000000012101a00000000000000000","parentHash":"0x34f1d140a5c6b8845a33fe367ced630d000000000121019f0000000000000000","time":"2026-07-04T02:00:00Z"},{"chain":"third","chainId":990000003,"number":15769800,"hash":"0x02b7a6ba19e41b90f8efd4fea2e0078d0000000000f0a0c80000000000000000","parentHash":"0xbe936bf01b677174ff972adfbdcd65a90000000000f0a0c70000000000000000","time":"2026-07-04T02:00:00Z"}]', 0, '{"format":"petsupply-evidence/2","token":"jewel","symbol":"JEWEL","decimals":18,"asOf":"2026-07-04T02:00:00Z","measuredAt":"2026-07-04T02:00:00Z","snapshot":"832b3b20fe08c60791176e1ac997a85ffe61d1f1481fa4421cea48b5547b168b","ledger":"aa409287e9240f806a3909c563878ae40501cc4e90cca2f851dd41da6d96e531","maxSupply":"125000000","formula":"total = sum of counted issued - sum of burned; circulating = total - sum of locked - sum of reserved; issued counts unless it carries a bridge with count source; escrowed is never counted; an amount is its return value divided by 10^decimals, rounded down to the token''s decimals","bridges":{"portal":{"count":"source","slack":"5000"}},"chains":[{"chain":"second","chainId":990000002,"number":18940320,"hash":"0xc416ca362739051474b4ff7d5b42558d00000000012101a00000000000000000","parentHash":"0x34f1d140a5c6b8845a33fe367ced630d000000000121019f0000000000000000","time":"2026-07-04T02:00:00Z"},{"chain":"third","chainId":990000003,"number":15769800,"hash":"0x02b7a6ba19e41b90f8efd4fea2e0078d0000000000f0a0c80000000000000000","parentHash":"0xbe936bf01b677174ff972adfbdcd65a90000000000f0a0c70000000000000000","time":"2026-07-04T02:00:00Z"}],"entries":[{"entry":{"label":"Minted","bucket":"issued","chain":"second","call":"totalMinted()","to":"0xe10A6aaEfB59B969A7A5a23b63A617eAf9518474","since":"2022-03-30","reason":"Everything that was ever minted, as the mint itself counts it"},"contract":"0xe10a6aaefb59b969a7a5a23b63a617eaf9518474","calldata":"0xa2309ff8","return":"0x00000000000000000000000000000000000000000061f10df95855ed2f34d9b3","decimals":18,"amount":"118404152.599868763249367475","counted":true},{"entry":{"label":"Held for Cloudharbour","bucket":"escrowed","bridge":"portal","chain":"second","native":"0x5e52B000Df3D855dff67B7726c9Be9DD0f52D806","since":"2024-07-12","reason":"Locked by the portal; minted again in Cloudharbour"},"contract":"0x5e52b000df3d855dff67b7726c9be9dd0f52d806","return":"0x000000000000000000000000000000000000000000078ba284cda73b07209a5a","decimals":18,"amount":"9121887.620449881051667034","counted":false},{"entry":{"label":"In Cloudharbour","bucket":"issued","bridge":"portal","chain":"third","erc20":"0xD8f66352C37C2AED1Fb361FCc5bE617d2EFA2aC7","since":"2024-07-12","reason":"Stands for what the portal holds, so it is not counted again"},"contract":"0xd8f66352c37c2aed1fb361fcc5be617d2efa2ac7","calldata":"0x18160ddd","return":"0x000000000000000000000000000000000000000000078b2227a7346ef33e25b5","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"9119519.725029930754254261","counted":false},{"entry":{"label":"Fees burned","bucket":"burned","chain":"second","call":"totalBurn()","to":"0x3fD3F4723707Cf9FAff8dAD6cFC95BED7e826a84","since":"2022-03-30","reason":"Half of every fee is burned"},"contract":"0x3fd3f4723707cf9faff8dad6cfc95bed7e826a84","calldata":"0x3c9f861d","return":"0x00000000000000000000000000000000000000000002a6b4ac66df1f5fe1b900","decimals":18,"amount":"3205097.312180835167877376","counted":true},{"entry":{"label":"Vesting","bucket":"locked","chain":"second","call":"reservedToken()","to":"0xfDAB19A1FA89e75FfcAA29cAf8A0D09550B6d9E6","since":"2023-01-01","reason":"Unlocks a little with every block"},"contract":"0xfdab19a1fa89e75ffcaa29caf8a0d09550b6d9e6","calldata":"0xc6f25670","return":"0x00000000000000000000000000000000000000000011e7cdf4fcfac9c1c4b4c9","decimals":18,"amount":"21646404.826787078304216265","counted":true},{"entry":{"label":"Treasury","bucket":"reserved","chain":"second","native":"0x53b2e266BAF67C7D54aF36806e888914f7f6f47F","since":"2022-03-30","reason":"Funds that the council spends in public"},"contract":"0x53b2e266baf67c7d54af36806e888914f7f6f47f","return":"0x0000000000000000000000000000000000000000000666eb81545540240f7ca6","decimals":18,"amount":"7739580.602965063512325286","counted":true},{"entry":{"label":"Team grant","bucket":"reserved","amount":"2500000","since":"2024-01-01","reason":"Promised and not yet handed over; declared, not measured"},"decimals":18,"amount":"2500000","counted":true}],"figures":{"totalSupply":"115199055.287687928081490099","circulatingSupply":"83313069.857935786264948548","burnedSupply":"3205097.312180835167877376","lockedSupply":"21646404.826787078304216265","reservedSupply":"10239580.602965063512325286"}}'),
	('jade', 3, 1783130400000, 1783130400000, 1783130400000, 'a89419b6826ae28755ef4dd60eeb893c023a454a6ce781cc447b2748443e4f9c', '3011e1c90d4002c62771b91d867a3a2adc9b63d8297fbae3e74efaef737b03af', '120483102.576788809549994767', '84702870.845546833318658174', '11411631.434227500617038458', '26111007.351241976231336593', '9669224.38', '[{"chain":"third","chainId":990000003,"number":15769800,"hash":"0x02b7a6ba19e41b90f8efd4fea2e0078d0000000000f0a0c80000000000000000","parentHash":"0xbe936bf01b677174ff972adfbdcd65a90000000000f0a0c70000000000000000","time":"2026-07-04T02:00:00Z"}]', 0, '{"format":"petsupply-evidence/2","token":"jade","symbol":"JADE","decimals":18,"asOf":"2026-07-04T02:00:00Z","measuredAt":"2026-07-04T02:00:00Z","snapshot":"a89419b6826ae28755ef4dd60eeb893c023a454a6ce781cc447b2748443e4f9c","ledger":"3011e1c90d4002c62771b91d867a3a2adc9b63d8297fbae3e74efaef737b03af","maxSupply":"250000000","formula":"total = sum of counted issued - sum of burned; circulating = total - sum of locked - sum of reserved; issued counts unless it carries a bridge with count source; escrowed is never counted; an amount is its return value divided by 10^decimals, rounded down to the token''s decimals","bridges":{},"chains":[{"chain":"third","chainId":990000003,"number":15769800,"hash":"0x02b7a6ba19e41b90f8efd4fea2e0078d0000000000f0a0c80000000000000000","parentHash":"0xbe936bf01b677174ff972adfbdcd65a90000000000f0a0c70000000000000000","time":"2026-07-04T02:00:00Z"}],"entries":[{"entry":{"label":"Minted","bucket":"issued","chain":"third","erc20":"0xD4C4cbD25e9Ab0E6278371F9201187588Eb86018","since":"2022-12-01","reason":"Issued in Cloudharbour"},"contract":"0xd4c4cbd25e9ab0e6278371f9201187588eb86018","calldata":"0x18160ddd","return":"0x0000000000000000000000000000000000000000006d19cbdb92b0f95cb5d589","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"131894734.011016310167033225","counted":true},{"entry":{"label":"Dead address","bucket":"burned","chain":"third","erc20":"0xD4C4cbD25e9Ab0E6278371F9201187588Eb86018","holder":"0x000000000000000000000000000000000000dEaD","since":"2022-12-01","reason":"Sent where nobody has the key"},"contract":"0xd4c4cbd25e9ab0e6278371f9201187588eb86018","calldata":"0x70a08231000000000000000000000000000000000000000000000000000000000000dead","return":"0x000000000000000000000000000000000000000000097081c795cf506357fa7a","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"11411631.434227500617038458","counted":true},{"entry":{"label":"Time locks","bucket":"locked","chain":"third","call":"totalLock()","to":"0xD4C4cbD25e9Ab0E6278371F9201187588Eb86018","since":"2022-12-01","reason":"Rewards that unlock a little every hour"},"contract":"0xd4c4cbd25e9ab0e6278371f9201187588eb86018","calldata":"0x3a1aae35","return":"0x0000000000000000000000000000000000000000001599388b78048edc959a91","decimals":18,"amount":"26111007.351241976231336593","counted":true},{"entry":{"label":"Treasury","bucket":"reserved","chain":"third","erc20":"0xD4C4cbD25e9Ab0E6278371F9201187588Eb86018","holder":"0x53b2e266BAF67C7D54aF36806e888914f7f6f47F","since":"2022-12-01","reason":"Funds that the council spends in public"},"contract":"0xd4c4cbd25e9ab0e6278371f9201187588eb86018","calldata":"0x70a0823100000000000000000000000053b2e266baf67c7d54af36806e888914f7f6f47f","return":"0x00000000000000000000000000000000000000000007ff89b43637a07f460000","decimalsReturn":"0x0000000000000000000000000000000000000000000000000000000000000012","decimals":18,"amount":"9669224.38","counted":true}],"figures":{"totalSupply":"120483102.576788809549994767","circulatingSupply":"84702870.845546833318658174","burnedSupply":"11411631.434227500617038458","lockedSupply":"26111007.351241976231336593","reservedSupply":"9669224.38"}}');


INSERT INTO public.schema_fingerprint VALUES
	('70fc73f75a5d3872ce9807ab0c229f4d0b60fe1effa7327fa620fa4940adda11');


INSERT INTO public.supply_notice VALUES
	(1, 'jewel', 0, '{"seq":1,"token":"jewel","kind":"published","at":"2026-07-04T00:00:00Z","snapshot":"a6cb6760bd9deb3f993dfc73fceec0fbf0010df3f7da7aa74ec3004afc6360a7","ledger":"aa409287e9240f806a3909c563878ae40501cc4e90cca2f851dd41da6d96e531","totalSupply":"115198189.266387521372176706","circulatingSupply":"83315839.483425409668125212","burnedSupply":"3204899.652948098875582218","lockedSupply":"21649218.730050246365368366","reservedSupply":"10233131.052911865338683128"}'),
	(2, 'crystal', 0, '{"seq":2,"token":"crystal","kind":"published","at":"2026-07-04T00:00:00Z","snapshot":"31e080ada1fb46bf6143e68c948a124010c6ccf770869a585b47e48391610686","ledger":"ecec7bb91e222b4e4a48b767c8092967179f57c07f057682cbad9e5e4393de1b","totalSupply":"87307851.293112592184916138","circulatingSupply":"64017473.082415006691589951","burnedSupply":"5011332.256498141437768936","lockedSupply":"18902272.210697585493326187","reservedSupply":"4388106"}'),
	(3, 'jade', 0, '{"seq":3,"token":"jade","kind":"published","at":"2026-07-04T00:00:00Z","snapshot":"314e9ba8d091e232b209360ac5e008a201521bd5689b7828e298d97ed3d41c2f","ledger":"3011e1c90d4002c62771b91d867a3a2adc9b63d8297fbae3e74efaef737b03af","totalSupply":"120475762.90853475661482662","circulatingSupply":"84707317.350980188718996943","burnedSupply":"11409424.051920313654467463","lockedSupply":"26117673.557554567895829677","reservedSupply":"9650772"}'),
	(4, 'jewel', 0, '{"seq":4,"token":"jewel","kind":"published","at":"2026-07-04T01:00:00Z","snapshot":"4627b285493944aeea3dce97475fed00c1657e3d010699c224b9cce7d29c223a","ledger":"aa409287e9240f806a3909c563878ae40501cc4e90cca2f851dd41da6d96e531","totalSupply":"115198568.768052697356324643","circulatingSupply":"83313648.082836728158872575","burnedSupply":"3205041.373659148446749895","lockedSupply":"21648565.947084340788424015","reservedSupply":"10236354.738131628409028053"}'),
	(5, 'crystal', 0, '{"seq":5,"token":"crystal","kind":"published","at":"2026-07-04T01:00:00Z","snapshot":"00f5daae8fe972f4939079c5751b316f224bb5770f5853fe5af534b49cd5b66b","ledger":"ecec7bb91e222b4e4a48b767c8092967179f57c07f057682cbad9e5e4393de1b","totalSupply":"87307544.912360004691251863","circulatingSupply":"64016157.192544111823507895","burnedSupply":"5011401.486781001098453998","lockedSupply":"18902051.561815892867743968","reservedSupply":"4389336.158"}'),
	(6, 'jade', 0, '{"seq":6,"token":"jade","kind":"published","at":"2026-07-04T01:00:00Z","snapshot":"1621b1354f2e4b1c8291c5e89ca5b1cda4b79fed59339edd80790636e2ab90b9","ledger":"3011e1c90d4002c62771b91d867a3a2adc9b63d8297fbae3e74efaef737b03af","totalSupply":"120481861.170076558706350624","circulatingSupply":"84710226.777560593445785344","burnedSupply":"11410560.850511142749339342","lockedSupply":"26111636.20251596526056528","reservedSupply":"9659998.19"}'),
	(7, 'jewel', 0, '{"seq":7,"token":"jewel","kind":"published","at":"2026-07-04T02:00:00Z","snapshot":"832b3b20fe08c60791176e1ac997a85ffe61d1f1481fa4421cea48b5547b168b","ledger":"aa409287e9240f806a3909c563878ae40501cc4e90cca2f851dd41da6d96e531","totalSupply":"115199055.287687928081490099","circulatingSupply":"83313069.857935786264948548","burnedSupply":"3205097.312180835167877376","lockedSupply":"21646404.826787078304216265","reservedSupply":"10239580.602965063512325286"}'),
	(8, 'crystal', 1, '{"seq":8,"token":"crystal","kind":"held","at":"2026-07-04T02:00:00Z","snapshot":"1508492cd01c9ea61dcd1bc037aa373d6194908e245c9ed88ee4838a5a6ef03a","ledger":"ecec7bb91e222b4e4a48b767c8092967179f57c07f057682cbad9e5e4393de1b","totalSupply":"87307643.655019044065692772","circulatingSupply":"64015456.861484849529185643","burnedSupply":"5011435.513114224754273891","lockedSupply":"18901620.476534194536507129","reservedSupply":"4390566.317","reason":"total rose by 12 %"}'),
	(9, 'jade', 0, '{"seq":9,"token":"jade","kind":"published","at":"2026-07-04T02:00:00Z","snapshot":"a89419b6826ae28755ef4dd60eeb893c023a454a6ce781cc447b2748443e4f9c","ledger":"3011e1c90d4002c62771b91d867a3a2adc9b63d8297fbae3e74efaef737b03af","totalSupply":"120483102.576788809549994767","circulatingSupply":"84702870.845546833318658174","burnedSupply":"11411631.434227500617038458","lockedSupply":"26111007.351241976231336593","reservedSupply":"9669224.38"}'),
	(10, 'jewel', 1, '{"seq":10,"token":"jewel","kind":"corrected","at":"2026-11-19T20:43:07.335Z","snapshot":"4627b285493944aeea3dce97475fed00c1657e3d010699c224b9cce7d29c223a","reason":"an entry was missing"}');


INSERT INTO public.tlog VALUES
	(1, 'example.org/log', 'example.org/log+fd3538c5+Ac7MFQfcHd1ylZUcKQiI8JWtuQRNG3PWlubfBl1oO9T8', 13, 13, 'example.org/log
13
Zy/3ZovCKB3gRqCbQNn4QIjZiqbsKSLGP4GPrc3SE/E=

— example.org/log /TU4xcMd/ljWThySv9vbG0osxxpAVnCcIo1MzR1pslBCOJEvCMavFmnSzYGfdkUIPKm9gEL8aI2g/feNlTpg4AWRdAY=
', 0);


INSERT INTO public.tlog_hash VALUES
	(1, 0, '\xce65e4f393c9feec1a6cc40f304a091412a85fbb24dba37b9c15d2d5db34011f'),
	(1, 1, '\xb3b0500a8dfded0b9cd8dbf45a3d04cf068ef01c059eebd97d2532cda9eb26b7'),
	(1, 2, '\x6d929d42f632f02d2b570a1a68ea412e9942fa09fbfa5ff32301f50cd6069397'),
	(1, 3, '\xa6cb6760bd9deb3f993dfc73fceec0fbf0010df3f7da7aa74ec3004afc6360a7'),
	(1, 4, '\xb6c006c5790f9d047cfd063183652b75d0f63602856e68956897698fa792a3e8'),
	(1, 5, '\x6f179e7817bf8afd6c7645f540ad22d7d25b45a34afb2a0d2b8ca662d8c4138d'),
	(1, 6, '\x094973b35dade4f4c547aedacb9e0f65d9220e3e4a0e96e527d55e917010fb6a'),
	(1, 7, '\x31e080ada1fb46bf6143e68c948a124010c6ccf770869a585b47e48391610686'),
	(1, 8, '\x0d617c2c906ebbf5f6870d31bb65e551cc4000c9d72be9d9843ba9cd40b56340'),
	(1, 9, '\x1c37889f5d7765b2c867cbdb0da2d6f94f7efeb9cef224e48b3c6b0f18cd5d19'),
	(1, 10, '\x314e9ba8d091e232b209360ac5e008a201521bd5689b7828e298d97ed3d41c2f'),
	(1, 11, '\x4627b285493944aeea3dce97475fed00c1657e3d010699c224b9cce7d29c223a'),
	(1, 12, '\x20607b422e673bb3b589a3f26bf8994c85b775bc9862b5c8ed85796163ec06e6'),
	(1, 13, '\x50b6e87f11262ff54c4fb50091d998b34094faba7a2aa22193e75849a04133df'),
	(1, 14, '\xf863dab05162cc7e22a5897612224e5b0e92428542d2249c223b3def2df56e2d'),
	(1, 15, '\x00f5daae8fe972f4939079c5751b316f224bb5770f5853fe5af534b49cd5b66b'),
	(1, 16, '\x1621b1354f2e4b1c8291c5e89ca5b1cda4b79fed59339edd80790636e2ab90b9'),
	(1, 17, '\xc19c546fc8afd686b6c230f55f6ec333181e468f620dd421ef5fb96a8ce8a2ce'),
	(1, 18, '\x832b3b20fe08c60791176e1ac997a85ffe61d1f1481fa4421cea48b5547b168b'),
	(1, 19, '\xa89419b6826ae28755ef4dd60eeb893c023a454a6ce781cc447b2748443e4f9c'),
	(1, 20, '\x48f4d7a853bf136089f40fb83238ac80dc5a7d12161eea424ee12d7d3c397ada'),
	(1, 21, '\xee581a9c926c21ec41513604ac09e4fc41449c8abc7a039eddfd30b975564323'),
	(1, 22, '\xea3b6e961d316ce70746b8bede210f8c8462ccf82ee06f7551b15a901221204b');


INSERT INTO public.tlog_leaf VALUES
	(1, 0, '\xce65e4f393c9feec1a6cc40f304a091412a85fbb24dba37b9c15d2d5db34011f', '\x7b22666f726d6174223a22706574737570706c792d6c6f672f31222c226f726967696e223a226578616d706c652e6f72672f6c6f67222c22626567756e223a22323032362d31312d31395432303a34333a30372e3132345a222c22726561736f6e223a22697420697320746865206669727374206c6f67206f6620746869732073746f7265222c2270726576696f7573223a6e756c6c7d'),
	(1, 1, '\xb3b0500a8dfded0b9cd8dbf45a3d04cf068ef01c059eebd97d2532cda9eb26b7', '\x7b22666f726d6174223a22706574737570706c792d6c65646765722f31222c22746f6b656e223a226a6577656c222c226c6564676572223a2261613430393238376539323430663830366133393039633536333837386165343035303163633465393063636132663835316464343164613664393665353331222c2273696e6365223a22323032362d30372d30345430303a30303a30305a227d'),
	(1, 2, '\xa6cb6760bd9deb3f993dfc73fceec0fbf0010df3f7da7aa74ec3004afc6360a7', '\x7b22666f726d6174223a22706574737570706c792d736e617073686f742f31222c22746f6b656e223a226a6577656c222c2261734f66223a22323032362d30372d30345430303a30303a30305a222c226d656173757265644174223a22323032362d30372d30345430303a30303a30305a222c22746f74616c537570706c79223a223131353139383138392e323636333837353231333732313736373036222c2263697263756c6174696e67537570706c79223a2238333331353833392e343833343235343039363638313235323132222c226275726e6564537570706c79223a22333230343839392e363532393438303938383735353832323138222c226c6f636b6564537570706c79223a2232313634393231382e373330303530323436333635333638333636222c227265736572766564537570706c79223a2231303233333133312e303532393131383635333338363833313238222c226d6178537570706c79223a22313235303030303030222c22626c6f636b73223a5b7b22636861696e223a227365636f6e64222c22636861696e4964223a3939303030303030322c226e756d626572223a31383933383838302c2268617368223a22307837623733376338333835343130353532336138333733373764613463643536343030303030303030303132306663303030303030303030303030303030303030222c22706172656e7448617368223a22307831653136363764616365633838613862316338333534383762363436346630333030303030303030303132306662666630303030303030303030303030303030222c2274696d65223a22323032362d30372d30345430303a30303a30305a227d2c7b22636861696e223a227468697264222c22636861696e4964223a3939303030303030332c226e756d626572223a31353736383030302c2268617368223a22307837633532626135393566653161623666373539333166386264646434636465323030303030303030303066303939633030303030303030303030303030303030222c22706172656e7448617368223a22307833633331386633333863623233623962393631396235363437396332326638643030303030303030303066303939626630303030303030303030303030303030222c2274696d65223a22323032362d30372d30345430303a30303a30305a227d5d2c226c6564676572223a2261613430393238376539323430663830366133393039633536333837386165343035303163633465393063636132663835316464343164613664393665353331222c2265766964656e6365223a2230386538346136333538613361333935346539653965333662376639303935323136316538323832633130643938356132383737313730313163636462343131222c2270726576696f7573223a22227d'),
	(1, 3, '\xb6c006c5790f9d047cfd063183652b75d0f63602856e68956897698fa792a3e8', '\x7b22666f726d6174223a22706574737570706c792d6c65646765722f31222c22746f6b656e223a226372797374616c222c226c6564676572223a2265636563376262393165323232623465346134386237363763383039323936373137396635376330376630353736383263626164396535653433393364653162222c2273696e6365223a22323032362d30372d30345430303a30303a30305a227d'),
	(1, 4, '\x31e080ada1fb46bf6143e68c948a124010c6ccf770869a585b47e48391610686', '\x7b22666f726d6174223a22706574737570706c792d736e617073686f742f31222c22746f6b656e223a226372797374616c222c2261734f66223a22323032362d30372d30345430303a30303a30305a222c226d656173757265644174223a22323032362d30372d30345430303a30303a30305a222c22746f74616c537570706c79223a2238373330373835312e323933313132353932313834393136313338222c2263697263756c6174696e67537570706c79223a2236343031373437332e303832343135303036363931353839393531222c226275726e6564537570706c79223a22353031313333322e323536343938313431343337373638393336222c226c6f636b6564537570706c79223a2231383930323237322e323130363937353835343933333236313837222c227265736572766564537570706c79223a2234333838313036222c226d6178537570706c79223a22323530303030303030222c22626c6f636b73223a5b7b22636861696e223a227365636f6e64222c22636861696e4964223a3939303030303030322c226e756d626572223a31383933383838302c2268617368223a22307837623733376338333835343130353532336138333733373764613463643536343030303030303030303132306663303030303030303030303030303030303030222c22706172656e7448617368223a22307831653136363764616365633838613862316338333534383762363436346630333030303030303030303132306662666630303030303030303030303030303030222c2274696d65223a22323032362d30372d30345430303a30303a30305a227d2c7b22636861696e223a227468697264222c22636861696e4964223a3939303030303030332c226e756d626572223a31353736383030302c2268617368223a22307837633532626135393566653161623666373539333166386264646434636465323030303030303030303066303939633030303030303030303030303030303030222c22706172656e7448617368223a22307833633331386633333863623233623962393631396235363437396332326638643030303030303030303066303939626630303030303030303030303030303030222c2274696d65223a22323032362d30372d30345430303a30303a30305a227d5d2c226c6564676572223a2265636563376262393165323232623465346134386237363763383039323936373137396635376330376630353736383263626164396535653433393364653162222c2265766964656e6365223a2262303530643131313063356463636130383935373531323561303165353337313532383735326362643063323335353535373332366432366262643838343533222c2270726576696f7573223a22227d'),
	(1, 5, '\x0d617c2c906ebbf5f6870d31bb65e551cc4000c9d72be9d9843ba9cd40b56340', '\x7b22666f726d6174223a22706574737570706c792d6c65646765722f31222c22746f6b656e223a226a616465222c226c6564676572223a2233303131653163393064343030326336323737316239316438363761336132616463396236336438323937666261653365373465666165663733376230336166222c2273696e6365223a22323032362d30372d30345430303a30303a30305a227d'),
	(1, 6, '\x314e9ba8d091e232b209360ac5e008a201521bd5689b7828e298d97ed3d41c2f', '\x7b22666f726d6174223a22706574737570706c792d736e617073686f742f31222c22746f6b656e223a226a616465222c2261734f66223a22323032362d30372d30345430303a30303a30305a222c226d656173757265644174223a22323032362d30372d30345430303a30303a30305a222c22746f74616c537570706c79223a223132303437353736322e3930383533343735363631343832363632222c2263697263756c6174696e67537570706c79223a2238343730373331372e333530393830313838373138393936393433222c226275726e6564537570706c79223a2231313430393432342e303531393230333133363534343637343633222c226c6f636b6564537570706c79223a2232363131373637332e353537353534353637383935383239363737222c227265736572766564537570706c79223a2239363530373732222c226d6178537570706c79223a22323530303030303030222c22626c6f636b73223a5b7b22636861696e223a227468697264222c22636861696e4964223a3939303030303030332c226e756d626572223a31353736383030302c2268617368223a22307837633532626135393566653161623666373539333166386264646434636465323030303030303030303066303939633030303030303030303030303030303030222c22706172656e7448617368223a22307833633331386633333863623233623962393631396235363437396332326638643030303030303030303066303939626630303030303030303030303030303030222c2274696d65223a22323032362d30372d30345430303a30303a30305a227d5d2c226c6564676572223a2233303131653163393064343030326336323737316239316438363761336132616463396236336438323937666261653365373465666165663733376230336166222c2265766964656e6365223a2261653465666133313938653435376565633039616236313764396364623536623763623266376562353566326566616634306663396661393530303533623766222c2270726576696f7573223a22227d'),
	(1, 7, '\x4627b285493944aeea3dce97475fed00c1657e3d010699c224b9cce7d29c223a', '\x7b22666f726d6174223a22706574737570706c792d736e617073686f742f31222c22746f6b656e223a226a6577656c222c2261734f66223a22323032362d30372d30345430313a30303a30305a222c226d656173757265644174223a22323032362d30372d30345430313a30303a30305a222c22746f74616c537570706c79223a223131353139383536382e373638303532363937333536333234363433222c2263697263756c6174696e67537570706c79223a2238333331333634382e303832383336373238313538383732353735222c226275726e6564537570706c79223a22333230353034312e333733363539313438343436373439383935222c226c6f636b6564537570706c79223a2232313634383536352e393437303834333430373838343234303135222c227265736572766564537570706c79223a2231303233363335342e373338313331363238343039303238303533222c226d6178537570706c79223a22313235303030303030222c22626c6f636b73223a5b7b22636861696e223a227365636f6e64222c22636861696e4964223a3939303030303030322c226e756d626572223a31383933393630302c2268617368223a22307831633635333330363264316237363730313564323637333530656233663162353030303030303030303132306665643030303030303030303030303030303030222c22706172656e7448617368223a22307862373238356365636561363135303964373363643661663530336437663735353030303030303030303132306665636630303030303030303030303030303030222c2274696d65223a22323032362d30372d30345430313a30303a30305a227d2c7b22636861696e223a227468697264222c22636861696e4964223a3939303030303030332c226e756d626572223a31353736383930302c2268617368223a22307866366331396434373331383662333937303537336632363665386333653730373030303030303030303066303964343430303030303030303030303030303030222c22706172656e7448617368223a22307834653635396332386361653965656265333436373634303965316234323030613030303030303030303066303964343330303030303030303030303030303030222c2274696d65223a22323032362d30372d30345430313a30303a30305a227d5d2c226c6564676572223a2261613430393238376539323430663830366133393039633536333837386165343035303163633465393063636132663835316464343164613664393665353331222c2265766964656e6365223a2263633531626665323636653735323238313833366566306231376233396534306464346437333132313734643734656436306332663039343037386632653934222c2270726576696f7573223a22227d'),
	(1, 8, '\x00f5daae8fe972f4939079c5751b316f224bb5770f5853fe5af534b49cd5b66b', '\x7b22666f726d6174223a22706574737570706c792d736e617073686f742f31222c22746f6b656e223a226372797374616c222c2261734f66223a22323032362d30372d30345430313a30303a30305a222c226d656173757265644174223a22323032362d30372d30345430313a30303a30305a222c22746f74616c537570706c79223a2238373330373534342e393132333630303034363931323531383633222c2263697263756c6174696e67537570706c79223a2236343031363135372e313932353434313131383233353037383935222c226275726e6564537570706c79223a22353031313430312e343836373831303031303938343533393938222c226c6f636b6564537570706c79223a2231383930323035312e353631383135383932383637373433393638222c227265736572766564537570706c79223a22343338393333362e313538222c226d6178537570706c79223a22323530303030303030222c22626c6f636b73223a5b7b22636861696e223a227365636f6e64222c22636861696e4964223a3939303030303030322c226e756d626572223a31383933393630302c2268617368223a22307831633635333330363264316237363730313564323637333530656233663162353030303030303030303132306665643030303030303030303030303030303030222c22706172656e7448617368223a22307862373238356365636561363135303964373363643661663530336437663735353030303030303030303132306665636630303030303030303030303030303030222c2274696d65223a22323032362d30372d30345430313a30303a30305a227d2c7b22636861696e223a227468697264222c22636861696e4964223a3939303030303030332c226e756d626572223a31353736383930302c2268617368223a22307866366331396434373331383662333937303537336632363665386333653730373030303030303030303066303964343430303030303030303030303030303030222c22706172656e7448617368223a22307834653635396332386361653965656265333436373634303965316234323030613030303030303030303066303964343330303030303030303030303030303030222c2274696d65223a22323032362d30372d30345430313a30303a30305a227d5d2c226c6564676572223a2265636563376262393165323232623465346134386237363763383039323936373137396635376330376630353736383263626164396535653433393364653162222c2265766964656e6365223a2265616463353362326537613165623864656361663133643462626362383432633134666462633135313962336235613164353066363132653730353865633461222c2270726576696f7573223a22227d'),
	(1, 9, '\x1621b1354f2e4b1c8291c5e89ca5b1cda4b79fed59339edd80790636e2ab90b9', '\x7b22666f726d6174223a22706574737570706c792d736e617073686f742f31222c22746f6b656e223a226a616465222c2261734f66223a22323032362d30372d30345430313a30303a30305a222c226d656173757265644174223a22323032362d30372d30345430313a30303a30305a222c22746f74616c537570706c79223a223132303438313836312e313730303736353538373036333530363234222c2263697263756c6174696e67537570706c79223a2238343731303232362e373737353630353933343435373835333434222c226275726e6564537570706c79223a2231313431303536302e383530353131313432373439333339333432222c226c6f636b6564537570706c79223a2232363131313633362e3230323531353936353236303536353238222c227265736572766564537570706c79223a22393635393939382e3139222c226d6178537570706c79223a22323530303030303030222c22626c6f636b73223a5b7b22636861696e223a227468697264222c22636861696e4964223a3939303030303030332c226e756d626572223a31353736383930302c2268617368223a22307866366331396434373331383662333937303537336632363665386333653730373030303030303030303066303964343430303030303030303030303030303030222c22706172656e7448617368223a22307834653635396332386361653965656265333436373634303965316234323030613030303030303030303066303964343330303030303030303030303030303030222c2274696d65223a22323032362d30372d30345430313a30303a30305a227d5d2c226c6564676572223a2233303131653163393064343030326336323737316239316438363761336132616463396236336438323937666261653365373465666165663733376230336166222c2265766964656e6365223a2234336337336535383363663866663365653537663233626130643264323866383335646637343334313739663332626234376536303765313433326666393236222c2270726576696f7573223a22227d'),
	(1, 10, '\x832b3b20fe08c60791176e1ac997a85ffe61d1f1481fa4421cea48b5547b168b', '\x7b22666f726d6174223a22706574737570706c792d736e617073686f742f31222c22746f6b656e223a226a6577656c222c2261734f66223a22323032362d30372d30345430323a30303a30305a222c226d656173757265644174223a22323032362d30372d30345430323a30303a30305a222c22746f74616c537570706c79223a223131353139393035352e323837363837393238303831343930303939222c2263697263756c6174696e67537570706c79223a2238333331333036392e383537393335373836323634393438353438222c226275726e6564537570706c79223a22333230353039372e333132313830383335313637383737333736222c226c6f636b6564537570706c79223a2232313634363430342e383236373837303738333034323136323635222c227265736572766564537570706c79223a2231303233393538302e363032393635303633353132333235323836222c226d6178537570706c79223a22313235303030303030222c22626c6f636b73223a5b7b22636861696e223a227365636f6e64222c22636861696e4964223a3939303030303030322c226e756d626572223a31383934303332302c2268617368223a22307863343136636133363237333930353134373462346666376435623432353538643030303030303030303132313031613030303030303030303030303030303030222c22706172656e7448617368223a22307833346631643134306135633662383834356133336665333637636564363330643030303030303030303132313031396630303030303030303030303030303030222c2274696d65223a22323032362d30372d30345430323a30303a30305a227d2c7b22636861696e223a227468697264222c22636861696e4964223a3939303030303030332c226e756d626572223a31353736393830302c2268617368223a22307830326237613662613139653431623930663865666434666561326530303738643030303030303030303066306130633830303030303030303030303030303030222c22706172656e7448617368223a22307862653933366266303162363737313734666639373261646662646364363561393030303030303030303066306130633730303030303030303030303030303030222c2274696d65223a22323032362d30372d30345430323a30303a30305a227d5d2c226c6564676572223a2261613430393238376539323430663830366133393039633536333837386165343035303163633465393063636132663835316464343164613664393665353331222c2265766964656e6365223a2234666238663162303634336261333934306439636331383937316639383539613638356434623233626339366437316239663937623531313939376365616135222c2270726576696f7573223a22227d'),
	(1, 11, '\xa89419b6826ae28755ef4dd60eeb893c023a454a6ce781cc447b2748443e4f9c', '\x7b22666f726d6174223a22706574737570706c792d736e617073686f742f31222c22746f6b656e223a226a616465222c2261734f66223a22323032362d30372d30345430323a30303a30305a222c226d656173757265644174223a22323032362d30372d30345430323a30303a30305a222c22746f74616c537570706c79223a223132303438333130322e353736373838383039353439393934373637222c2263697263756c6174696e67537570706c79223a2238343730323837302e383435353436383333333138363538313734222c226275726e6564537570706c79223a2231313431313633312e343334323237353030363137303338343538222c226c6f636b6564537570706c79223a2232363131313030372e333531323431393736323331333336353933222c227265736572766564537570706c79223a22393636393232342e3338222c226d6178537570706c79223a22323530303030303030222c22626c6f636b73223a5b7b22636861696e223a227468697264222c22636861696e4964223a3939303030303030332c226e756d626572223a31353736393830302c2268617368223a22307830326237613662613139653431623930663865666434666561326530303738643030303030303030303066306130633830303030303030303030303030303030222c22706172656e7448617368223a22307862653933366266303162363737313734666639373261646662646364363561393030303030303030303066306130633730303030303030303030303030303030222c2274696d65223a22323032362d30372d30345430323a30303a30305a227d5d2c226c6564676572223a2233303131653163393064343030326336323737316239316438363761336132616463396236336438323937666261653365373465666165663733376230336166222c2265766964656e6365223a2238373165633432343831306263663436366435346133373234303461643163653132336232306332663865383532316536336631333638616462653561623634222c2270726576696f7573223a22227d'),
	(1, 12, '\xea3b6e961d316ce70746b8bede210f8c8462ccf82ee06f7551b15a901221204b', '\x7b22666f726d6174223a22706574737570706c792d6465636973696f6e2f31222c22746f6b656e223a226a6577656c222c226b696e64223a2277726f6e67222c227375626a656374223a2234363237623238353439333934346165656133646365393734373566656430306331363537653364303130363939633232346239636365376432396332323361222c22726561736f6e223a22616e20656e74727920776173206d697373696e67222c226174223a22323032362d31312d31395432303a34333a30372e3333355a227d');


INSERT INTO public.webhook VALUES
	('game', 'supply', 2, 1793491200000, 0, 1),
	('game', 'pet', 0, 0, 0, 0);


ALTER TABLE ONLY public.decision
    ADD CONSTRAINT decision_pkey PRIMARY KEY (id);


ALTER TABLE ONLY public.ledger
    ADD CONSTRAINT ledger_pkey PRIMARY KEY (token, hash);


ALTER TABLE ONLY public.pet_change
    ADD CONSTRAINT pet_change_pkey PRIMARY KEY (seq);


ALTER TABLE ONLY public.pet_count
    ADD CONSTRAINT pet_count_pkey PRIMARY KEY (realm, field, value);


ALTER TABLE ONLY public.pet_import
    ADD CONSTRAINT pet_import_pkey PRIMARY KEY (id);


ALTER TABLE ONLY public.pet_mark
    ADD CONSTRAINT pet_mark_pkey PRIMARY KEY (realm, number);


ALTER TABLE ONLY public.pet
    ADD CONSTRAINT pet_pkey PRIMARY KEY (realm, id);


ALTER TABLE ONLY public.pet_realm
    ADD CONSTRAINT pet_realm_pkey PRIMARY KEY (realm);


ALTER TABLE ONLY public.pet_wanted
    ADD CONSTRAINT pet_wanted_pkey PRIMARY KEY (realm, first_id, last_id);


ALTER TABLE ONLY public.proof
    ADD CONSTRAINT proof_pkey PRIMARY KEY (token, snapshot);


ALTER TABLE ONLY public.published
    ADD CONSTRAINT published_pkey PRIMARY KEY (token);


ALTER TABLE ONLY public.reading
    ADD CONSTRAINT reading_pkey PRIMARY KEY (token, number);


ALTER TABLE ONLY public.supply_notice
    ADD CONSTRAINT supply_notice_pkey PRIMARY KEY (seq);


ALTER TABLE ONLY public.tlog_hash
    ADD CONSTRAINT tlog_hash_pkey PRIMARY KEY (log, number);


ALTER TABLE ONLY public.tlog_leaf
    ADD CONSTRAINT tlog_leaf_pkey PRIMARY KEY (log, number);


ALTER TABLE ONLY public.tlog
    ADD CONSTRAINT tlog_origin_key UNIQUE (origin);


ALTER TABLE ONLY public.tlog
    ADD CONSTRAINT tlog_pkey PRIMARY KEY (id);


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


CREATE INDEX pet_custody ON public.pet USING btree (id) WHERE (presence = 1);


CREATE UNIQUE INDEX pet_here ON public.pet USING btree (id) WHERE (here = 1);


CREATE INDEX pet_wanted_one ON public.pet_wanted USING btree (realm, due, first_id) WHERE (first_id = last_id);


CREATE INDEX pet_wanted_span ON public.pet_wanted USING btree (realm, due, first_id) WHERE (first_id < last_id);


CREATE INDEX proof_taken ON public.proof USING btree (token, taken);


CREATE INDEX reading_evidence ON public.reading USING btree (token, number) WHERE ((evidence IS NOT NULL) AND (daily = 0));


CREATE INDEX reading_kept ON public.reading USING btree (token, taken) WHERE (evidence IS NOT NULL);


CREATE INDEX reading_least ON public.reading USING btree (token, "least", number);


CREATE INDEX reading_moment ON public.reading USING btree (token, taken);


CREATE INDEX reading_snapshot ON public.reading USING btree (token, snapshot);


CREATE INDEX supply_notice_forever ON public.supply_notice USING btree (token, seq) WHERE (forever = 1);


CREATE INDEX tlog_leaf_hash ON public.tlog_leaf USING btree (hash);


