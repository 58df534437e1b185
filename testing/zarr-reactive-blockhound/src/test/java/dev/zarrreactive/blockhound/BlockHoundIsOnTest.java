package dev.zarrreactive.blockhound;

/** BlockHound is on in the tests of this module. */
class BlockHoundIsOnTest extends BlockHoundContract {}
