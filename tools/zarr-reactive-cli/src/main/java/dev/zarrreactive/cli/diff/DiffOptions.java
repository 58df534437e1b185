package dev.zarrreactive.cli.diff;

import dev.zarrreactive.internal.text.PathGlobs;

/**
 * The extent of a comparison.
 *
 * @param tolerance the largest difference of two equal numbers
 * @param values whether elements are compared
 * @param bits whether attributes and fill values are compared as they are stored, and elements bit
 *     by bit
 * @param storage whether the format, the chunks and the codecs are compared
 * @param choice of the nodes below
 */
public record DiffOptions(
    double tolerance, boolean values, boolean bits, boolean storage, PathGlobs choice) {}
