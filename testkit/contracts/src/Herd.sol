// SPDX-License-Identifier: CC0-1.0
pragma solidity ^0.8.28;

interface Receiver {
    function onERC721Received(address operator, address from, uint256 id, bytes calldata data) external returns (bytes4);
}

/// ERC-721 ownership, with or without enumeration.
abstract contract Herd {
    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
    event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId);
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);

    string public constant name = "Pets";
    string public constant symbol = "PET";
    bool public immutable enumerable;
    address public immutable steward; // may do everything that an owner may

    mapping(uint256 => address) internal _owners;
    mapping(address => uint256) internal _balances;
    mapping(uint256 => address) private _approvals;
    mapping(address => mapping(address => bool)) public isApprovedForAll;
    uint256[] private _all; // kept only where enumerable
    mapping(uint256 => uint256) private _place;

    modifier onlySteward() {
        require(msg.sender == steward, "Pets: not the steward");
        _;
    }

    modifier may(uint256 id) {
        require(_may(msg.sender, id), "ERC721: caller is not owner nor approved");
        _;
    }

    constructor(bool enumerable_) {
        enumerable = enumerable_;
        steward = msg.sender;
    }

    function ownerOf(uint256 id) public view returns (address holder) {
        holder = _owners[id];
        require(holder != address(0), "ERC721: owner query for nonexistent token");
    }

    function balanceOf(address holder) external view returns (uint256) {
        require(holder != address(0), "ERC721: balance query for the zero address");
        return _balances[holder];
    }

    function getApproved(uint256 id) external view returns (address) {
        ownerOf(id);
        return _approvals[id];
    }

    function approve(address to, uint256 id) external may(id) {
        _approvals[id] = to;
        emit Approval(_owners[id], to, id);
    }

    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function transferFrom(address from, address to, uint256 id) public may(id) {
        _transfer(from, to, id);
    }

    function safeTransferFrom(address from, address to, uint256 id) external {
        safeTransferFrom(from, to, id, "");
    }

    function safeTransferFrom(address from, address to, uint256 id, bytes memory data) public may(id) {
        _transfer(from, to, id);
        if (to.code.length == 0) return;
        bytes4 answer = Receiver(to).onERC721Received(msg.sender, from, id, data);
        require(answer == Receiver.onERC721Received.selector, "ERC721: transfer to non ERC721Receiver");
    }

    function totalSupply() external view returns (uint256) {
        require(enumerable, "Pets: not enumerable");
        return _all.length;
    }

    function tokenByIndex(uint256 index) external view returns (uint256) {
        require(enumerable, "Pets: not enumerable");
        require(index < _all.length, "ERC721Enumerable: global index out of bounds");
        return _all[index];
    }

    function tokenOfOwnerByIndex(address holder, uint256 index) external view returns (uint256) {
        require(enumerable, "Pets: not enumerable");
        for (uint256 i = 0; i < _all.length; i++) {
            if (_owners[_all[i]] == holder && index-- == 0) return _all[i];
        }
        revert("ERC721Enumerable: owner index out of bounds");
    }

    function supportsInterface(bytes4 id) public view virtual returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd || id == 0x5b5e139f || (enumerable && id == 0x780e9d63);
    }

    function _may(address who, uint256 id) internal view returns (bool) {
        address holder = ownerOf(id);
        return who == holder || who == steward || who == _approvals[id] || isApprovedForAll[holder][who];
    }

    function _mint(address to, uint256 id) internal {
        require(to != address(0), "ERC721: mint to the zero address");
        require(_owners[id] == address(0), "ERC721: token already minted");
        _owners[id] = to;
        unchecked {
            _balances[to]++;
        }
        if (enumerable) {
            _place[id] = _all.length;
            _all.push(id);
        }
        emit Transfer(address(0), to, id);
    }

    function _transfer(address from, address to, uint256 id) internal {
        require(ownerOf(id) == from, "ERC721: transfer from incorrect owner");
        require(to != address(0), "ERC721: transfer to the zero address");
        delete _approvals[id];
        _balances[from]--;
        _balances[to]++;
        _owners[id] = to;
        emit Transfer(from, to, id);
    }

    function _burn(uint256 id) internal {
        address from = ownerOf(id);
        delete _approvals[id];
        delete _owners[id];
        _balances[from]--;
        if (enumerable) {
            uint256 last = _all[_all.length - 1];
            _all[_place[id]] = last;
            _place[last] = _place[id];
            _all.pop();
            delete _place[id];
        }
        emit Transfer(from, address(0), id);
    }
}
