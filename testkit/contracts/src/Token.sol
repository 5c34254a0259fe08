// SPDX-License-Identifier: CC0-1.0
pragma solidity ^0.8.28;

/// An ERC-20 with a cap, minters, burning and time locks. Locked tokens stay
/// inside totalSupply: the contract holds them and pays them out when due.
contract Token {
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event Lock(address indexed holder, uint256 value, uint256 until);
    event Unlock(address indexed holder, uint256 value);

    string public name;
    string public symbol;
    uint8 public decimals;
    uint256 public cap; // 0: none
    address public owner;
    uint256 public totalSupply;
    uint256 public totalLock;

    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => uint256) public lockOf;
    mapping(address => uint256) public lockedUntil;
    mapping(address => bool) public isMinter;

    modifier onlyOwner() {
        require(msg.sender == owner, "Token: not the owner");
        _;
    }

    constructor(string memory name_, string memory symbol_, uint8 decimals_, uint256 cap_) {
        name = name_;
        symbol = symbol_;
        decimals = decimals_;
        cap = cap_;
        owner = msg.sender;
        isMinter[msg.sender] = true;
    }

    function unlockedSupply() external view returns (uint256) {
        return totalSupply - totalLock;
    }

    /// A trap of real tokens: in spite of its name, this is not the circulating supply.
    function circulatingSupply() external view returns (uint256) {
        return totalSupply;
    }

    function setMinter(address minter, bool allowed) external onlyOwner {
        isMinter[minter] = allowed;
    }

    function mint(address to, uint256 value) external {
        require(isMinter[msg.sender], "Token: not a minter");
        require(cap == 0 || totalSupply + value <= cap, "Token: cap exceeded");
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function burn(uint256 value) external {
        _burn(msg.sender, value);
    }

    function burnFrom(address from, uint256 value) external {
        _spend(from, value);
        _burn(from, value);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        _spend(from, value);
        _move(from, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    /// Locks the sender's tokens for holder until a time, which is never brought forward.
    function lock(address holder, uint256 value, uint256 until) external {
        _move(msg.sender, address(this), value);
        lockOf[holder] += value;
        totalLock += value;
        if (until > lockedUntil[holder]) lockedUntil[holder] = until;
        emit Lock(holder, value, lockedUntil[holder]);
    }

    /// Pays holder what was locked for it, when due. The owner may open a lock early.
    function unlock(address holder) external {
        require(block.timestamp >= lockedUntil[holder] || msg.sender == owner, "Token: still locked");
        uint256 value = lockOf[holder];
        lockOf[holder] = 0;
        totalLock -= value;
        _move(address(this), holder, value);
        emit Unlock(holder, value);
    }

    /// For tests only: changes the contract's decimals.
    function setDecimals(uint8 value) external onlyOwner {
        decimals = value;
    }

    /// For tests only: sets a balance without a transfer, even above the total.
    function setBalance(address holder, uint256 value) external onlyOwner {
        balanceOf[holder] = value;
    }

    function _spend(address from, uint256 value) private {
        uint256 allowed = allowance[from][msg.sender];
        require(allowed >= value, "ERC20: insufficient allowance");
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value;
    }

    function _move(address from, address to, uint256 value) private {
        require(to != address(0), "ERC20: transfer to the zero address");
        require(balanceOf[from] >= value, "ERC20: transfer amount exceeds balance");
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }

    function _burn(address from, uint256 value) private {
        require(balanceOf[from] >= value, "ERC20: burn amount exceeds balance");
        balanceOf[from] -= value;
        totalSupply -= value;
        emit Transfer(from, address(0), value);
    }
}
