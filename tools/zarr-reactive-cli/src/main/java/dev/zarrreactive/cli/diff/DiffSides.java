package dev.zarrreactive.cli.diff;

import dev.zarrreactive.cli.location.NodePlace;
import java.util.function.Function;

/**
 * The places of the two nodes that are compared, and their errors, each of which names the one that
 * it is about.
 *
 * @param one the place of A
 * @param other the place of B
 * @param first returns an error of A
 * @param second returns an error of B
 */
record DiffSides(
    NodePlace one,
    NodePlace other,
    Function<Throwable, Throwable> first,
    Function<Throwable, Throwable> second) {}
