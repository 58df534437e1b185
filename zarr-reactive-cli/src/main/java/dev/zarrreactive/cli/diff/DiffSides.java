package dev.zarrreactive.cli.diff;

import java.util.function.Function;

/**
 * The errors of the two nodes that are compared: each names the one that it is about.
 *
 * @param first returns an error of A
 * @param second returns an error of B
 */
record DiffSides(Function<Throwable, Throwable> first, Function<Throwable, Throwable> second) {}
