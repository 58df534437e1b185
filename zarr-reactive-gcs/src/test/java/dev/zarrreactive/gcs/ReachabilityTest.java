package dev.zarrreactive.gcs;

import dev.zarrreactive.testing.ReachabilityContract;

/** A native image finds what this module loads by name. */
class ReachabilityTest extends ReachabilityContract {}
