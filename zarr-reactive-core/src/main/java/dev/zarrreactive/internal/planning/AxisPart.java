package dev.zarrreactive.internal.planning;

import dev.zarrreactive.array.Axis;

/**
 * What a selection takes of one chunk along one dimension.
 *
 * @param chunk the chunk's index in this dimension
 * @param count how many places are taken
 * @param inChunk the places, counted from the chunk's start
 * @param inResult the places in the result, in the same order
 * @param selected the same elements, counted from the array's start
 */
record AxisPart(long chunk, int count, Positions inChunk, Positions inResult, Axis selected) {}
