// SPDX-License-Identifier: CC0-1.0
pragma solidity ^0.8.28;

import {Collectible} from "./Dragons.sol";

/// Traits that are spread over several functions: a list of values, a struct, and
/// single traits by ERC-7496.
contract Spread is Collectible {
    struct Looks {
        bytes4 colours;
        int8 mood;
        string motto;
    }

    event TraitUpdated(bytes32 indexed traitKey, uint256 indexed tokenId, bytes32 trait);

    string public constant name = "Spread";
    string public constant symbol = "SPRD";
    uint256 public newest;
    mapping(uint256 => uint256) private _code;
    mapping(uint256 => Looks) private _looks;
    mapping(uint256 => mapping(bytes32 => bytes32)) private _traits;

    function mint(address to, uint256 code, Looks calldata looks_) external {
        uint256 id = ++newest;
        _code[id] = code;
        _looks[id] = looks_;
        _mint(to, id);
    }

    function setTrait(uint256 id, bytes32 key, bytes32 value) external {
        _traits[id][key] = value;
        emit TraitUpdated(key, id, value);
    }

    function base(uint256 id) external view returns (uint256 itself, uint256 code, string memory title) {
        return (id, _code[id], "No. of the series");
    }

    function looks(uint256 id) external view returns (Looks memory) {
        return _looks[id];
    }

    function getTraitValue(uint256 id, bytes32 key) external view returns (bytes32) {
        return _traits[id][key];
    }
}

/// A contract that does not fit its collection file. A test chooses the answer for each
/// token.
contract Unfit {
    struct Thing {
        uint64 level;
        string title;
    }

    enum Answer { Right, Reverts, Short, Wide, Nothing, Long, BadText }

    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
    event MetadataUpdate(uint256 tokenId);

    uint256 public next;
    mapping(uint256 => Answer) public answers;
    mapping(uint256 => uint64) public levels;

    function mint(address to, uint256 count) external {
        for (uint256 i = 0; i < count; i++) emit Transfer(address(0), to, next++);
    }

    function set(uint256 id, Answer answer, uint64 level) external {
        answers[id] = answer;
        levels[id] = level;
        emit MetadataUpdate(id);
    }

    /// It has an owner for every id, also for those that were never minted.
    function ownerOf(uint256) external pure returns (address) {
        return address(0xa11ce);
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd;
    }

    function thing(uint256 id) external view {
        Answer answer = answers[id];
        require(answer != Answer.Reverts, "not this one");
        bytes memory out;
        if (answer == Answer.Right) out = abi.encode(Thing(levels[id], "a thing"));
        else if (answer == Answer.Short) out = abi.encode(levels[id]);
        else if (answer == Answer.Wide) out = abi.encode(uint256(32), type(uint256).max, uint256(64), uint256(0));
        else if (answer == Answer.Long) out = abi.encode(Thing(levels[id], string(new bytes(1 << 20))));
        else if (answer == Answer.BadText) out = abi.encode(Thing(levels[id], string(abi.encodePacked(bytes8(0xff00e280ae3c623e)))));
        assembly { return(add(out, 32), mload(out)) }
    }
}
