// SPDX-License-Identifier: CC0-1.0
pragma solidity ^0.8.28;

import "./Token.sol";

/// One end of a burn-and-mint bridge: tokens that leave are burned, and tokens
/// that arrive are minted. So the issue of each chain counts, and nothing is in escrow.
contract Relay {
    event Sent(uint256 indexed nonce, address indexed to, uint256 value);
    event Delivered(uint256 indexed nonce, address indexed to, uint256 value);

    Token public immutable token;
    address public immutable keeper;
    uint256 public nonce;
    mapping(uint256 => bool) public delivered;

    constructor(Token token_) {
        token = token_;
        keeper = msg.sender;
    }

    function send(address to, uint256 value) external {
        token.burnFrom(msg.sender, value);
        emit Sent(nonce++, to, value);
    }

    function deliver(uint256 n, address to, uint256 value) external {
        require(msg.sender == keeper, "Relay: not the keeper");
        require(!delivered[n], "Relay: delivered before");
        delivered[n] = true;
        token.mint(to, value);
        emit Delivered(n, to, value);
    }
}
