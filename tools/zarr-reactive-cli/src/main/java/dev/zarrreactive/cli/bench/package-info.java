/** Measures a store: its latency, its bandwidth, and what merged requests save. */
@NullMarked
package dev.zarrreactive.cli.bench;

import org.jspecify.annotations.NullMarked;
