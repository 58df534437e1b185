package dev.zarrreactive.kerchunk;

import dev.zarrreactive.blockhound.BlockHoundContract;

/** BlockHound is on in the tests of this module. */
class BlockHoundIsOnTest extends BlockHoundContract {}
