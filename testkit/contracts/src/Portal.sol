// SPDX-License-Identifier: CC0-1.0
pragma solidity ^0.8.28;

import "./Token.sol";

/// One end of a lock-and-mint bridge. The home end holds tokens that leave in
/// escrow. The far end mints tokens that arrive and burns those that go home. The keeper
/// delivers each message once.
contract Portal {
    event Sent(uint256 indexed nonce, address indexed to, uint256 value);
    event Delivered(uint256 indexed nonce, address indexed to, uint256 value);

    Token public immutable token;
    bool public immutable home;
    address public immutable keeper;
    uint256 public nonce;
    mapping(uint256 => bool) public delivered;

    constructor(Token token_, bool home_) {
        token = token_;
        home = home_;
        keeper = msg.sender;
    }

    function send(address to, uint256 value) external {
        if (home) require(token.transferFrom(msg.sender, address(this), value), "Portal: no transfer");
        else token.burnFrom(msg.sender, value);
        emit Sent(nonce++, to, value);
    }

    function deliver(uint256 n, address to, uint256 value) external {
        require(msg.sender == keeper, "Portal: not the keeper");
        require(!delivered[n], "Portal: delivered before");
        delivered[n] = true;
        if (home) require(token.transfer(to, value), "Portal: no transfer");
        else token.mint(to, value);
        emit Delivered(n, to, value);
    }
}
