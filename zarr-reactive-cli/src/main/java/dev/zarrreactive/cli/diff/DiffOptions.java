package dev.zarrreactive.cli.diff;

/**
 * The extent of a comparison.
 *
 * @param tolerance the largest difference of two equal numbers
 * @param values whether elements are compared
 * @param storage whether the format, the chunks and the codecs are compared
 */
public record DiffOptions(double tolerance, boolean values, boolean storage) {}
