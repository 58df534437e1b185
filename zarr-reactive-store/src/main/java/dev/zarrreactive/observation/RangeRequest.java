package dev.zarrreactive.observation;

/**
 * One request for adjacent ranges of a shard: of inner chunks, or of the indexes of nested shards.
 *
 * @param ranges the number of ranges that the request coalesces, at least 1
 * @param bytes the number of requested bytes
 * @param unwanted the number of requested bytes between the ranges, which are dropped
 */
public record RangeRequest(int ranges, long bytes, long unwanted) {}
