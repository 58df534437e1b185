package dev.zarrreactive.azure;

import dev.zarrreactive.testing.ReachabilityContract;

/** A native image finds what this module loads by name. */
class ReachabilityTest extends ReachabilityContract {}
