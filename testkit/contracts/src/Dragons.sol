// SPDX-License-Identifier: CC0-1.0
pragma solidity ^0.8.28;

/// The least that ERC-721 asks for. Anyone may mint: this is for examples.
abstract contract Collectible {
    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);

    mapping(uint256 => address) internal _owners;

    function ownerOf(uint256 id) public view returns (address owner) {
        owner = _owners[id];
        require(owner != address(0), "no such token");
    }

    function transferFrom(address from, address to, uint256 id) external {
        require(ownerOf(id) == from && msg.sender == from && to != address(0), "not yours");
        _owners[id] = to;
        emit Transfer(from, to, id);
    }

    function burn(uint256 id) external {
        address from = ownerOf(id);
        require(msg.sender == from, "not yours");
        delete _owners[id];
        emit Transfer(from, address(0), id);
    }

    function supportsInterface(bytes4 id) public view virtual returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd;
    }

    function _mint(address to, uint256 id) internal {
        require(_owners[id] == address(0), "taken");
        _owners[id] = to;
        emit Transfer(address(0), to, id);
    }
}

/// Dragons keep their looks as genes, packed into one number.
contract Dragons is Collectible {
    struct Dragon {
        uint256 genes;
        int16 temper;
        bool tame;
        string title;
        uint64 bornAt;
    }

    event Roared(address indexed by, uint256 dragon, int16 temper);

    string public constant name = "Dragons";
    string public constant symbol = "DRGN";
    uint256 public lastDragon;
    mapping(uint256 => Dragon) private _dragons;

    function dragon(uint256 id) external view returns (Dragon memory) {
        ownerOf(id);
        return _dragons[id];
    }

    function hatch(address to, uint256 genes, string calldata title) external returns (uint256 id) {
        id = ++lastDragon;
        _dragons[id] = Dragon(genes, 0, false, title, uint64(block.timestamp));
        _mint(to, id);
    }

    function roar(uint256 id, int16 temper, bool tame) external {
        ownerOf(id);
        _dragons[id].temper = temper;
        _dragons[id].tame = tame;
        emit Roared(msg.sender, id, temper);
    }
}

/// A plain ERC-721: it has owners and nothing else.
contract Plain is Collectible {
    string public constant name = "Plain";
    string public constant symbol = "PLN";

    function mint(address to, uint256 first, uint256 count) external {
        for (uint256 id = first; id < first + count; id++) _mint(to, id);
    }

    function tokenURI(uint256) external pure returns (string memory) {
        return "";
    }
}

/// An ERC-721 with the Enumerable extension.
contract Counted is Collectible {
    string public constant name = "Counted";
    string public constant symbol = "CNT";
    uint256[] private _all;

    function mint(address to, uint256 id) external {
        _all.push(id);
        _mint(to, id);
    }

    function totalSupply() external view returns (uint256) {
        return _all.length;
    }

    function tokenByIndex(uint256 index) external view returns (uint256) {
        require(index < _all.length, "no such index");
        return _all[index];
    }

    function supportsInterface(bytes4 id) public view override returns (bool) {
        return super.supportsInterface(id) || id == 0x780e9d63;
    }
}
