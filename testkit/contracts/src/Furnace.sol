// SPDX-License-Identifier: CC0-1.0
pragma solidity ^0.8.28;

/// Burns a chain's gas token, and counts how much was burned.
contract Furnace {
    event Burned(address indexed from, uint256 value);

    uint256 public totalBurn;

    receive() external payable {
        totalBurn += msg.value;
        emit Burned(msg.sender, msg.value);
    }
}
