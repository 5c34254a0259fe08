// SPDX-License-Identifier: CC0-1.0
pragma solidity ^0.8.28;

import "./Token.sol";

/// Pays tokens to a beneficiary evenly over time. Tokens that are not vested yet are
/// reserved: they are part of the token's total, but do not circulate.
contract Vesting {
    event Funded(uint256 value);
    event Released(uint256 value);

    Token public immutable token;
    address public immutable beneficiary;
    uint256 public immutable start;
    uint256 public immutable duration;
    uint256 public funded;
    uint256 public released;

    constructor(Token token_, address beneficiary_, uint256 start_, uint256 duration_) {
        token = token_;
        beneficiary = beneficiary_;
        start = start_;
        duration = duration_;
    }

    function vested() public view returns (uint256) {
        if (block.timestamp <= start) return 0;
        if (block.timestamp >= start + duration) return funded;
        return (funded * (block.timestamp - start)) / duration;
    }

    /// The tokens that have not been paid out, vested or not.
    function reservedToken() external view returns (uint256) {
        return funded - released;
    }

    function fund(uint256 value) external {
        require(token.transferFrom(msg.sender, address(this), value), "Vesting: no transfer");
        funded += value;
        emit Funded(value);
    }

    function release() external {
        uint256 value = vested() - released;
        released += value;
        require(token.transfer(beneficiary, value), "Vesting: no transfer");
        emit Released(value);
    }
}
