package dev.zarrreactive.images;

import dev.zarrreactive.blockhound.BlockHoundContract;

/** BlockHound is on in the tests of this module. */
class BlockHoundIsOnTest extends BlockHoundContract {}
