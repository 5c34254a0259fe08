// SPDX-License-Identifier: CC0-1.0
pragma solidity ^0.8.28;

import "./Herd.sol";

struct PetV1 {
    uint256 id;
    uint8 originId;
    string name;
    uint8 season;
    uint8 eggType;
    uint8 rarity;
    uint8 element;
    uint8 bonusCount;
    uint8 profBonus;
    uint8 profBonusScalar;
    uint8 craftBonus;
    uint8 craftBonusScalar;
    uint8 combatBonus;
    uint8 combatBonusScalar;
    uint16 appearance;
    uint8 background;
    uint8 shiny;
    uint64 hungryAt;
    uint64 equippableAt;
    uint256 equippedTo;
}

struct PetV2 {
    uint256 id;
    uint8 originId;
    string name;
    uint8 season;
    uint8 eggType;
    uint8 rarity;
    uint8 element;
    uint8 bonusCount;
    uint8 profBonus;
    uint8 profBonusScalar;
    uint8 craftBonus;
    uint8 craftBonusScalar;
    uint8 combatBonus;
    uint8 combatBonusScalar;
    uint16 appearance;
    uint8 background;
    uint8 shiny;
    uint64 hungryAt;
    uint64 equippableAt;
    uint256 equippedTo;
    address fedBy;
    uint8 foodType;
}

/// How a realm's pet contract behaves.
struct Options {
    uint8 version; // 1: getPet alone, 2: getPetV2 and getPetsV2 too
    uint256 offset; // the first pet of this realm is offset + 1
    bool relative; // nextPetId() counts from the offset instead of from zero
    bool enumerable; // ERC-721 enumeration
    bool refresh; // ERC-4906 events
    bool quiet; // no events of the game: Transfer and ERC-4906 alone
    bool keepGuests; // a guest that leaves stays in custody here instead of being burned
    address custody; // owner of bridged pets; zero: this contract itself
}

/// The pets of one realm, native and visiting. An id never changes when its pet
/// is bridged: the native contract keeps it in custody, the host mints the same id.
contract Pets is Herd {
    event PetHatched(address indexed owner, uint256 indexed petId, PetV1 pet);
    event PetHatchedV2(address indexed owner, uint256 indexed petId, PetV2 pet);
    event PetUpdated(address indexed owner, uint256 indexed petId, PetV1 pet);
    event PetUpdatedV2(address indexed owner, uint256 indexed petId, PetV2 pet);
    event PetFed(address indexed fedBy, uint256 petId, uint8 foodType, uint64 hungryAt);
    event PetRerolled(uint256 indexed petId, PetV1 pet);
    event PetSent(uint256 indexed petId, uint256 arrivalChainId);
    event PetArrived(uint256 indexed petId, uint256 arrivalChainId);
    event MetadataUpdate(uint256 _tokenId);
    event BatchMetadataUpdate(uint256 _fromTokenId, uint256 _toTokenId);

    // The 32 bytes of traits fill one slot, which keeps hatching cheap.
    struct Body {
        uint8 originId;
        uint8 season;
        uint8 eggType;
        uint8 rarity;
        uint8 element;
        uint8 bonusCount;
        uint8 profBonus;
        uint8 profBonusScalar;
        uint8 craftBonus;
        uint8 craftBonusScalar;
        uint8 combatBonus;
        uint8 combatBonusScalar;
        uint16 appearance;
        uint8 background;
        uint8 shiny;
        uint64 hungryAt;
        uint64 equippableAt;
        uint256 equippedTo;
        address fedBy;
        uint8 foodType;
        string name;
    }

    Options private _options;
    uint256 public offset;
    address public custody;
    uint256 private _hatched;
    mapping(uint256 => Body) private _bodies;

    constructor(Options memory o) Herd(o.enumerable) {
        require(o.version == 1 || o.version == 2, "Pets: no such struct");
        _options = o;
        offset = o.offset;
        custody = o.custody == address(0) ? address(this) : o.custody;
    }

    // --- reads

    /// The number that the next pet to hatch will get.
    function nextPetId() external view returns (uint256) {
        return (_options.relative ? 0 : offset) + _hatched + 1;
    }

    function getPet(uint256 id) external view returns (PetV1 memory) {
        return _v1(id);
    }

    function getPetV2(uint256 id) external view returns (PetV2 memory) {
        require(_options.version == 2, "Pets: no such function");
        return _v2(id);
    }

    function getPetsV2(uint256[] calldata ids) external view returns (PetV2[] memory pets) {
        require(_options.version == 2, "Pets: no such function");
        pets = new PetV2[](ids.length);
        for (uint256 i = 0; i < ids.length; i++) pets[i] = _v2(ids[i]);
    }

    function tokenURI(uint256 id) external view returns (string memory) {
        ownerOf(id);
        return "";
    }

    function supportsInterface(bytes4 id) public view override returns (bool) {
        return super.supportsInterface(id) || (_options.refresh && id == 0x49064906);
    }

    // --- the game

    /// Hatches count pets for to. Their traits depend on seed.
    function hatch(address to, uint256 count, uint256 seed) external onlySteward {
        uint256 id = offset + _hatched;
        _hatched += count;
        for (uint256 i = 0; i < count; i++) {
            id++;
            _mint(to, id);
            _draw(id, uint256(keccak256(abi.encode(seed, id))));
            _hatchedEvent(to, id);
        }
    }

    /// Hatches one pet with exactly these traits; the id in it is ignored.
    function hatchAs(address to, PetV2 calldata pet) external onlySteward {
        uint256 id = offset + ++_hatched;
        _mint(to, id);
        _put(id, pet);
        _hatchedEvent(to, id);
    }

    /// Replaces every trait of a pet, whatever the values.
    function update(uint256 id, PetV2 calldata pet) external onlySteward {
        ownerOf(id);
        _put(id, pet);
        _updatedEvent(id);
    }

    function rename(uint256 id, string calldata name_) external may(id) {
        _bodies[id].name = name_;
        _updatedEvent(id);
    }

    function feed(uint256 id, uint8 food) external {
        ownerOf(id);
        _feed(id, food);
        if (_options.refresh) emit MetadataUpdate(id);
    }

    /// Feeds the pets from first to last that are here, with one ERC-4906 event for all.
    function feedMany(uint256 first, uint256 last, uint8 food) external {
        for (uint256 id = first; id <= last; id++) {
            if (_owners[id] != address(0)) _feed(id, food);
        }
        if (_options.refresh) emit BatchMetadataUpdate(first, last);
    }

    function equip(uint256 id, uint256 hero) external may(id) {
        _bodies[id].equippedTo = hero;
        _bodies[id].equippableAt = uint64(block.timestamp + 1 days);
        _updatedEvent(id);
    }

    /// Removes a pet's bonuses and looks until it is revealed.
    function reroll(uint256 id) external may(id) {
        Body storage b = _bodies[id];
        (b.appearance, b.bonusCount, b.profBonus, b.craftBonus, b.combatBonus) = (0, 0, 0, 0, 0);
        if (!_options.quiet) emit PetRerolled(id, _v1(id));
        _updatedEvent(id);
    }

    function reveal(uint256 id, uint256 seed) external may(id) {
        require(_bodies[id].appearance == 0, "Pets: revealed before");
        _drawLook(_bodies[id], uint256(keccak256(abi.encode(seed, id))));
        _updatedEvent(id);
    }

    function burn(uint256 id) external may(id) {
        _burn(id);
        delete _bodies[id];
    }

    // --- the bridge

    /// Sends a pet to another realm: puts a native into custody, and burns a guest.
    function send(uint256 id, uint256 chain) external may(id) {
        address holder = ownerOf(id);
        require(holder != custody, "Pets: in custody");
        if (_native(id) || _options.keepGuests) {
            _transfer(holder, custody, id);
        } else {
            _burn(id);
            delete _bodies[id];
        }
        if (!_options.quiet) emit PetSent(id, chain);
    }

    /// Lets a pet arrive: takes it out of custody, or else mints it as a guest.
    function arrive(address to, PetV2 calldata pet) external onlySteward {
        uint256 id = pet.id;
        if (_owners[id] != address(0)) {
            require(_owners[id] == custody, "Pets: here already");
            _transfer(custody, to, id);
        } else {
            _mint(to, id);
        }
        _put(id, pet);
        if (!_options.quiet) emit PetArrived(id, block.chainid);
        _updatedEvent(id);
    }

    // --- within

    function _native(uint256 id) private view returns (bool) {
        return id > offset && id <= offset + _hatched;
    }

    function _feed(uint256 id, uint8 food) private {
        Body storage b = _bodies[id];
        b.fedBy = msg.sender;
        b.foodType = food;
        b.hungryAt = uint64(block.timestamp + 1 days);
        if (!_options.quiet) emit PetFed(msg.sender, id, food, b.hungryAt);
    }

    function _hatchedEvent(address to, uint256 id) private {
        if (_options.quiet) return;
        if (_options.version == 1) emit PetHatched(to, id, _v1(id));
        else emit PetHatchedV2(to, id, _v2(id));
    }

    function _updatedEvent(uint256 id) private {
        if (_options.refresh) emit MetadataUpdate(id);
        if (_options.quiet) return;
        if (_options.version == 1) emit PetUpdated(_owners[id], id, _v1(id));
        else emit PetUpdatedV2(_owners[id], id, _v2(id));
    }

    function _draw(uint256 id, uint256 seed) private {
        Body memory b;
        b.originId = uint8(offset / 1e12);
        b.season = 1;
        b.eggType = uint8(seed % 5);
        b.rarity = uint8((seed >> 8) % 5);
        b.element = uint8((seed >> 16) % 8);
        b.background = uint8((seed >> 24) % 11);
        b.shiny = (seed >> 32) % 16 == 0 ? 1 : 0;
        b.hungryAt = uint64(block.timestamp + 1 days);
        Body storage s = _bodies[id];
        // Field by field from memory, so that empty slots are never written.
        (s.originId, s.season, s.eggType, s.rarity) = (b.originId, b.season, b.eggType, b.rarity);
        (s.element, s.background, s.shiny, s.hungryAt) = (b.element, b.background, b.shiny, b.hungryAt);
        _drawLook(s, seed >> 40);
    }

    function _drawLook(Body storage b, uint256 seed) private {
        // Mostly looks that have art, and sometimes one that has none.
        b.appearance = uint16((seed >> 96) % 32 == 0 ? 25 + (seed % 116) : 1 + (seed % 24));
        (uint8 prof, uint8 craft, uint8 combat) = (_bonus(seed >> 16), _bonus(seed >> 32), _bonus(seed >> 48));
        (b.profBonus, b.craftBonus, b.combatBonus) = (prof, craft, combat);
        b.bonusCount = _one(prof) + _one(craft) + _one(combat);
        b.profBonusScalar = uint8((seed >> 64) % 10);
        b.craftBonusScalar = uint8((seed >> 72) % 10);
        b.combatBonusScalar = uint8((seed >> 80) % 10);
    }

    // One star from 1, two from 80, three from 160; none one time in four.
    function _bonus(uint256 seed) private pure returns (uint8) {
        uint256 stars = seed % 4;
        if (stars == 0) return 0;
        return uint8((stars == 1 ? 1 : 80 * (stars - 1)) + ((seed >> 2) % 12));
    }

    function _one(uint8 bonus) private pure returns (uint8) {
        return bonus == 0 ? 0 : 1;
    }

    function _put(uint256 id, PetV2 calldata p) private {
        Body storage b = _bodies[id];
        (b.originId, b.season, b.eggType, b.rarity) = (p.originId, p.season, p.eggType, p.rarity);
        (b.element, b.bonusCount, b.profBonus) = (p.element, p.bonusCount, p.profBonus);
        (b.profBonusScalar, b.craftBonus, b.craftBonusScalar) = (p.profBonusScalar, p.craftBonus, p.craftBonusScalar);
        (b.combatBonus, b.combatBonusScalar) = (p.combatBonus, p.combatBonusScalar);
        (b.appearance, b.background, b.shiny) = (p.appearance, p.background, p.shiny);
        (b.hungryAt, b.equippableAt, b.equippedTo) = (p.hungryAt, p.equippableAt, p.equippedTo);
        (b.fedBy, b.foodType) = (p.fedBy, p.foodType);
        b.name = p.name;
    }

    function _v1(uint256 id) private view returns (PetV1 memory p) {
        ownerOf(id);
        Body storage b = _bodies[id];
        p.id = id;
        (p.originId, p.season, p.eggType, p.rarity) = (b.originId, b.season, b.eggType, b.rarity);
        (p.element, p.bonusCount, p.profBonus) = (b.element, b.bonusCount, b.profBonus);
        (p.profBonusScalar, p.craftBonus, p.craftBonusScalar) = (b.profBonusScalar, b.craftBonus, b.craftBonusScalar);
        (p.combatBonus, p.combatBonusScalar) = (b.combatBonus, b.combatBonusScalar);
        (p.appearance, p.background, p.shiny) = (b.appearance, b.background, b.shiny);
        (p.hungryAt, p.equippableAt, p.equippedTo) = (b.hungryAt, b.equippableAt, b.equippedTo);
        p.name = b.name;
    }

    function _v2(uint256 id) private view returns (PetV2 memory p) {
        PetV1 memory o = _v1(id);
        // The second struct begins with the 20 fields of the first, in the same order.
        assembly ("memory-safe") {
            mcopy(p, o, 640)
        }
        (p.fedBy, p.foodType) = (_bodies[id].fedBy, _bodies[id].foodType);
    }
}
