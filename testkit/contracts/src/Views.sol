// SPDX-License-Identifier: CC0-1.0
pragma solidity ^0.8.28;

contract Child {
    uint256 public immutable born = 11;
}

/// Views of every kind that a proof must distinguish: results that the state and the
/// block fix, and results that the caller of a view can choose.
contract Views {
    uint256 public value = 42;
    mapping(uint256 => uint256) public slot;

    function set(uint256 to) external { value = to; }
    function fill(uint256 count) external { for (uint256 i; i < count; i++) slot[i] = i + 1; }
    function sum(uint256 count) external view returns (uint256 s) { for (uint256 i; i < count; i++) s += slot[i]; }

    // Fixed by the state and the block.
    function time() external view returns (uint256) { return block.timestamp; }
    function number() external view returns (uint256) { return block.number; }
    function parent() external view returns (uint256) { return uint256(blockhash(block.number - 1)); }
    function chain() external view returns (uint256) { return block.chainid; }
    function held() external view returns (uint256) { return address(this).balance; }
    function writes() external returns (uint256) { value += 1; return value; }
    function creates() external returns (uint256) { return new Child().born(); }
    function hashed() external view returns (uint256) { return uint256(sha256(abi.encode(value))); }
    function emptyOf(address who) external view returns (uint256) { return who.code.length + who.balance; }

    // Fixed by the block of some chains.
    function coinbase() external view returns (uint256) { return uint160(address(block.coinbase)); }
    function random() external view returns (uint256) { return block.prevrandao; }
    function limit() external view returns (uint256) { return block.gaslimit; }

    // Not fixed.
    function oldBlock() external view returns (uint256) { return uint256(blockhash(block.number - 2)); }
    function endless() external pure returns (uint256) { while (true) {} return 1; }
    function gas() external view returns (uint256) { return gasleft(); }
    function gasEnough() external view returns (uint256) { return gasleft() > 0 ? 1 : 2; }
    function baseFee() external view returns (uint256) { return block.basefee; }
    function baseFeeLow() external view returns (uint256) { return block.basefee < 1e30 ? 1 : 2; }
    function blobFee() external view returns (uint256) { return block.blobbasefee; }
    function price() external view returns (uint256) { return tx.gasprice; }
    function origin() external view returns (uint256) { return uint160(tx.origin); }
    function caller() external view returns (uint256) { return uint160(msg.sender); }
    function reverts() external pure returns (uint256) { revert("no"); }
    function own(address precompile) external view returns (uint256) {
        (bool ok, bytes memory out) = precompile.staticcall("");
        return (ok ? 1 : 0) + out.length;
    }
}

/// Forwards every call to the implementation that an EIP-1967 slot names.
contract Proxy {
    constructor(address implementation) {
        assembly { sstore(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc, implementation) }
    }

    fallback() external payable {
        assembly {
            calldatacopy(0, 0, calldatasize())
            let to := sload(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc)
            let ok := delegatecall(gas(), to, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}
